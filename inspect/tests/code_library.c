/* SPDX-License-Identifier: Apache-2.0 */
/* A library with one function; BUILD says of which name, and how it is linked. */
void FUNCTION(void);
void FUNCTION(void) {}
