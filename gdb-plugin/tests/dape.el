;; SPDX-License-Identifier: Apache-2.0
;; Emacs as a user of dape has it, without a screen: attaches to a process, waits until dape knows its threads,
;; evaluates commands in its console, and prints what the console and the list of threads show. emacs_test.py.
;;
;;     emacs --batch -Q -L DAPE -l dape.el PID PLUGIN COMMAND...
(require 'dape)
(require 'json)

(defun wait-for (what function)
  "Until FUNCTION is true; WHAT is for who reads the log."
  (let ((until (+ (float-time) 100)) value)
    (while (and (not (setq value (funcall function))) (< (float-time) until))
      (accept-process-output nil 0.05))
    (or value (error "no %s: %s" what (console)))))

(defun console ()
  (let ((buffer (get-buffer "*dape-repl*")))
    (if buffer (with-current-buffer buffer (buffer-substring-no-properties (point-min) (point-max))) "")))

(defun stopped ()
  (dape--live-connection 'stopped t))

(defun named ()
  "The threads, once the selected one has its stack."
  (let ((conn (stopped)))
    (and conn (dape--threads conn) (dape--current-stack-frame conn) (dape--threads conn))))

(let* ((pid (string-to-number (pop command-line-args-left)))
       (plugin (pop command-line-args-left))
       threads)
  (dape (dape--config-eval 'gdb (list 'command-args (list "-nx" "--interpreter=dap" "-x" plugin)
                                      :request "attach" :pid pid
                                      :program (file-truename (format "/proc/%d/exe" pid)))))
  (setq threads (wait-for "list of threads" #'named))
  (dolist (command command-line-args-left)
    (let ((end (concat "end of " command)))
      (dape-evaluate-expression (stopped) command)
      (dape-evaluate-expression (stopped) (format "echo %s\\n" end))
      (wait-for command (lambda () (string-search (concat end "\n") (console))))))
  (princ (json-encode
          `((threads . ,(mapcar (lambda (one) `((id . ,(plist-get one :id)) (name . ,(plist-get one :name))))
                                threads))
            (frame . ,(plist-get (dape--current-stack-frame (stopped)) :name))
            (console . ,(console)))))
  (kill-emacs 0))
