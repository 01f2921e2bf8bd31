/* sis/sis.h - directives as macros, for sources that must compile without warnings where sisc is not known.
 *
 *     SIS_CR(init begin)  ...  SIS_END        #pragma sis cr init begin  ...  #pragma sis end cr
 *     SIS_CR(CR_L, CR_S pmetric WTIME)        #pragma sis cr CR_L, CR_S pmetric WTIME
 *     SIS_MEASURE(disable)                    #pragma sis measure disable
 *
 * Empty where the compiler reads them; sisc defines SIS__DIRECTIVES where it does. Plain `#pragma sis ...` does the same.
 */
#ifndef SIS_SIS_H
#define SIS_SIS_H

#if defined __GNUC__
#pragma GCC system_header
#endif

#if defined SIS__DIRECTIVES
#define SIS__PRAGMA(text) _Pragma(#text)
#define SIS_CR(...) SIS__PRAGMA(sis cr __VA_ARGS__)
#define SIS_END SIS__PRAGMA(sis end cr)
#define SIS_MEASURE(what) SIS__PRAGMA(sis measure what)
#else
#define SIS_CR(...)
#define SIS_END
#define SIS_MEASURE(what)
#endif

#endif
