// Random text with any characters.
import fc from 'fast-check'

const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(
    code => String.fromCodePoint(code),
    character => (character as string).codePointAt(0) ?? 0,
  )

/**
 * Like `fc.string` with the unit `binary`, which takes a second and a hundred megabytes for a table of all code
 * points.
 */
export const anyText = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, ...constraints })
