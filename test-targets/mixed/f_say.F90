! SPDX-License-Identifier: Apache-2.0
! What say.h has for C.
module say_in_fortran
  use iso_c_binding
  implicit none

  interface
    subroutine say_verdict(threads, verdict) bind(c)
      import
      integer(c_int), value :: threads
      character(kind=c_char), intent(in) :: verdict(*)
    end subroutine
    subroutine say_words(line, kind, system, words, owner) bind(c)
      import
      integer(c_int), value :: line, owner
      character(kind=c_char), intent(in) :: kind(*), system(*), words(*)
    end subroutine
    integer(c_int) function say_tid() bind(c)
      import
    end function
    subroutine say_set(word, value) bind(c)
      import
      integer(c_int), intent(inout) :: word
      integer(c_int), value :: value
    end subroutine
    subroutine say_await(word, value) bind(c)
      import
      integer(c_int), intent(in) :: word
      integer(c_int), value :: value
    end subroutine
    subroutine say_after() bind(c)
    end subroutine
  end interface

contains

  ! The thread waits at LINE. WORDS: 'call':'read' and so on. OWNER: a thread's number, 0 none.
  subroutine says(line, kind, system, words, owner)
    integer, intent(in) :: line, owner
    character(*), intent(in) :: kind, system, words

    call say_words(line, kind//c_null_char, system//c_null_char, words//c_null_char, owner)
  end subroutine
end module
