# SPDX-License-Identifier: Apache-2.0
"""The messages of the GDB extension and of the lldb commands, in one place so that they read alike.

Each says what is wrong and, where there is one, the remedy; they use GDB's own words where GDB has a message
for the same thing. Command.mistake() adds the usage line of the command's help.
"""

# The installation.
LIBDIR_INCOMPLETE = "OMPD_LIBDIR names %s, but %s and %s are not both there."
LIBRARIES_NOT_FOUND = ("The OpenMP extension cannot find %s and %s in %s: install or build the project, or "
                       "set OMPD_LIBDIR to their folder before starting GDB.")
LIBRARY_UNUSABLE = "The library %s cannot be used (%s): install or build the project again."
INTERNAL_ERROR = "The OpenMP extension itself failed (%s); GDB and the program are unaffected."
LLDB_INTERNAL_ERROR = "The OpenMP extension itself failed (%s)."
GDB_FAILED = "GDB failed without giving a reason."

# What the library of the views answers with no reason of its own.
NOT_OPENED = "The OpenMP library could not be opened."
NO_SNAPSHOT = "No snapshot could be taken."
NOT_WRITTEN = "The answer could not be written."
NOT_RECORDED = "The snapshot could not be written."
NOT_TRACED = "The trace cannot be written."
NO_PICTURE = "The picture could not be made."

# The state of the process.
NOT_RUN = "The program is not being run: start it with \"run\", attach to a process, or open a core file."
NEEDS_LIVE_PROCESS = "A core file cannot be run: \"ompd %s\" needs a live process."
NO_THREAD_SELECTED = "No thread is selected."
LLDB_PROCESS_RUNS = "The program is running: use \"process interrupt\" first."
SELECTED_IS_RUNNING = "The selected thread is running: interrupt it first."
VALUE_NOT_KNOWN = "%s cannot be known: %s."
THREAD_IS_RUNNING = "Thread %d is running: interrupt it first."
NO_REGISTERS = "GDB has no registers of thread %d, so it cannot show its stack."
NO_LWP = "GDB has no thread with LWP %s."

# Commands, arguments and options.
UNDEFINED_COMMAND = "Undefined %s command: \"%s\".  Try \"help %s\"."
NO_OPTION = "%s has no option %s."
OPTION_NEEDS_VALUE = "Option %s needs one of: %s."
OPTION_VALUE_WRONG = "Option %s cannot be \"%s\"; it is one of: %s."
UNEXPECTED_ARGUMENT = "%s does not take \"%s\"."
EXCLUSIVE_OPTIONS = "-tree and -ancestors cannot be used together."
NO_ARGUMENTS = "%s takes no arguments."
NOT_A_NUMBER = "\"%s\" is not the number of a %s: \"ompd %s\" lists them."
THREAD_NUMBER_MISSING = "The number of an OpenMP thread is missing."
COMMAND_MISSING = "The command to run in each thread is missing."
EXPRESSION_MISSING = "The expression is missing."
DIRECTION_MISSING = "The direction is missing."
FILE_MISSING = "The name of a file is missing."

# Regions, tasks and threads.
NO_OPENMP_THREADS = "No thread of this program is an OpenMP thread now: \"ompd status\" shows the details."
NOT_OPENMP_THREAD = "The selected thread is not an OpenMP thread: \"ompd threads\" lists those that are."
NONE_WITH_NUMBER = "There is no %s %d now: \"ompd %s\" lists all there are."
NONE_BECAUSE = "There is no %s %d: %s"
SELECTED_IS_IDLE = "The selected thread is idle: it is in no %s."
SELECTED_UNKNOWN = "The %s of the selected thread is not known now: \"ompd status\" shows the details."
NO_MEMBER = "Region %d has no thread %d: \"ompd region %d\" lists its members."
NOT_EXECUTED = "No thread is executing task %d, so there is none to select."
NONE_FOUND = "Nothing found."

# ompd up, ompd down, ompd frame, ompd print, $ompd_outer, ompd finish, ompd step and ompd next.
NO_FRAME_ABOVE = "There is no frame of the program above this one."
NO_FRAME_BELOW = "There is no frame of the program below this one."
CREATOR_FRAME_NOT_FOUND = "The frame that created region %d was not found on the stack of %s."
CREATOR_UNKNOWN = "Who created %s %d is not known."
CREATOR_ENDED = "What created %s %d has ended, and its variables are gone."
CREATOR_ON_NO_THREAD = "Task %d was created by task %d, which is on no thread now."
CREATOR_RETURNED = "%s, which created task %d, is no longer on the stack of %s."
CREATOR_UNNAMED = "Which function created task %d is not known."
CREATORS_MANY = "%d calls of %s stand in task %d, and which of them created task %d is not known."
BODY_LEFT = "It is a variable of a body that %s has left: that of region %d."
IN_NO_CONSTRUCT = "The selected frame is in no parallel region and in no task, so no function is around it."
NOT_AROUND = "No function around the selected frame has \"%s\"."
OUT = "optimised out"
RUNNING = "running"
NOT_LOCAL = "No local variable was found.  %s"
OPTIMISED_OUT = "\"%s\" is optimised out %s, frame %d of %s."
OUTER_ARGUMENT = "$ompd_outer needs one string: the expression."
CAME_UP = "In %s, which created region %d.  \"ompd down\" goes back to thread %d."
CAME_DOWN = "Back in %s."
NOT_A_COUNT = "\"%s\" is no number of frames."
TASK_FRAME_NOT_FOUND = "The frame of task %d was not found on the selected thread's stack."
NO_REGION_TO_FINISH = "The selected thread is in no region that ends: use \"finish\" for its function."
NOTHING_TO_STEP_TO = ("Thread %d is in no region, and no code of the program called it: select another "
                      "thread, or use \"continue\".")

# bt: one line in place of several frames.
FRAMES_COUNTED = "... %d frames of %s [\"set ompd runtime-frames show\"]"
OF_RUNTIME = "the OpenMP runtime"
OF_RUNTIME_AND_START = "the OpenMP runtime and the thread's start"
OF_LIBRARIES = "the system's libraries"
OF_START = "the thread's start"

# ompd catch.
NO_SUCH_EVENT = "The events that can be caught are: %s."
CATCH_ARGUMENT = "ompd catch %s does not take \"%s\"."
NO_END = "The end of a %s cannot be caught: use \"ompd catch %s\" and \"finish\"."
# Kind and when; libgomp and libomp export nothing that is called there.
NO_EVENT = ("The %s of a %s cannot be caught: this program's OpenMP runtime calls no function of its own "
            "there. %s")
NO_EVENT_REMEDIES = {
    "parallel": "\"ompd finish\" runs to what follows a region.",
    "task": ("\"ompd tasks\" shows the functions of tasks, for \"break\"; \"ompd finish\" runs to the end of "
             "one."),
    "thread": "Companion has such a function: \"ompd run\" starts a program on it.",
}
WILL_NOT_STOP = "Breakpoint%s %s will not stop: %s"
ALL_IS_FOR_BARRIERS = "\"all\" is for barriers only, not for %s."
CATCHPOINT = "Breakpoint%s %s: %s%s"
CAUGHT = "Thread %d hit Breakpoint %d, %s"

# ompd export.
UNKNOWN_FORMAT = "The suffix of \"%s\" names no format; it is one of: %s."
CANNOT_WRITE = "%s cannot be written: %s."
SAVED = "Saved to %s."

# ompd job.
CANNOT_READ = "%s cannot be read: %s."
NOT_A_RANK = "\"%s\" is not the number of a rank."
NOT_LIVE = "It is not known which live process that was: its answer is from a core file or does not say."
NOT_LOCAL_PROCESS = "Process %d is not on this machine, but on %s: use \"gdb -p %d\" there."
PROCESS_ENDED = "Process %d has ended."
HAS_PROCESS = "The selected inferior has a process already: \"add-inferior\" makes room for process %d."

# ompd init, and what `set ompd` and `show ompd` print.
NOTHING_TO_INITIALISE = "Nothing to initialise: the ompd commands work as soon as the program runs."
NO_SUCH_LIBRARY = "There is no file %s; the project's own OMPD library stays in use."
NO_SUCH_LAYOUT = "There is no file %s; only the extension's own layouts are in use."
SHOW_LAYOUT = "The layout of an OpenMP runtime is read from \"%s\"."
SHOW_OWN_LAYOUTS = "No layout is read: those that the extension brings are in use."
NO_LAYOUT = "There is no layout of an OpenMP runtime: %s"
LAYOUT_TAKES_LONG = "%s: \"ompd layout\" was not done in %d seconds and was ended"
LAYOUT_ENDED = "%s: \"ompd layout\" ended with status %d"
LAYOUT_ENDED_BY_SIGNAL = "%s: \"ompd layout\" was ended by signal %d"
OTHER_FILE = ("The file that GDB has for %s is another one: its build-id is %s, in the core it is %s. "
              "Functions, lines and code in it are not those of the process; name the right one with "
              "\"set sysroot\" or \"file\".")
NOT_LAYOUT = "The layout cannot be used."
SHOW_TRACE_OFF = "Calls of the OMPD library are not traced."
SHOW_TRACE = "Calls of the OMPD library are written to \"%s\"."
SHOW_THREAD_NAMES = "Showing the OpenMP state in thread names is %s."
SHOW_RUNTIME_FRAMES = "The mode for frames of the OpenMP runtime in backtraces is \"%s\"."
SHOW_ADDRESSES = "Showing addresses beside names is %s."
SHOW_WIDTH = "The width of tables is %s."
SHOW_WIDTH_OF_GDB = "The width of tables is GDB's own: \"show width\"."
SHOW_LIBRARY = "The OMPD library is \"%s\"."
SHOW_OWN_LIBRARY = "The OMPD library is the project's own."
