// Texts that would be code if a generator wrote them into code without quoting, in each language that is generated.
import fc from 'fast-check'
import { anyText } from './any-text.ts'

const FRAGMENTS = [
  // Ends of lines and comments.
  '\n',
  '\r',
  '\r\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u000b',
  '\f',
  '*/',
  '/*',
  '//',
  '<!--',
  '-->',
  // Quotes, escapes and templates.
  "'",
  '"',
  '`',
  '\\',
  "\\'",
  '\\\\',
  '\\u2028',
  '\\x27',
  '${',
  '${process.exit(3)}',
  "$'\\n'",
  "E'\\''",
  // Statements of JavaScript, SQL and shells.
  "');process.exit(3);('",
  "globalThis.process.getBuiltinModule('fs').writeFileSync('PWNED','')",
  "import('./PWNED.mjs')",
  "'; drop table canary; --",
  '"; drop table canary; --',
  '$(touch PWNED)',
  '`touch PWNED`',
  '; touch PWNED #',
  '&& touch PWNED',
  '| tee PWNED',
  '> PWNED',
  // Directives of test runners and compilers, which obey comments.
  '@vitest-environment evil',
  '// @module-tag evil',
  '@ts-nocheck',
  '@jest-environment evil',
  // Names that objects treat specially, and words that cannot be names.
  '__proto__',
  'constructor',
  'prototype',
  'delete',
  'await',
  '0',
  '-',
  '-rf',
  '--out',
  '@file',
  '~',
  '*',
  '!!',
  // What terminals obey, and what changes how a line looks.
  '\u001b[201~',
  '\u001b]0;x\u0007',
  '\u0008',
  '\u007f',
  '\u009b',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '😀',
  '👩‍👧',
  'é',
  ' ',
  '\t',
  'vessel',
  'a.b',
  '%0A',
  '#2',
  '/',
]

/** Without NUL, which shells and PostgreSQL cannot store, and without lone surrogates, which UTF-8 has none of. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) }, anyText({ maxLength: 3 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map(parts => parts.join('').replaceAll('\0', '').toWellFormed())
  .filter(text => text !== '')

/** A JSON value with hostile keys and texts. */
export const hostileValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: hostileText },
    fc.constantFrom(null, true, false, 0, -1.5, 1e21),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(hostileText, tie('value'), { maxKeys: 3 }),
  ),
})).value
