// Each claim of the security guide names tests; this checks that they exist.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'

interface Proof {
  readonly file: string
  readonly titles: readonly string[]
}

/** The parentheses at the end of a claim: files, each with title prefixes or parts. */
function proofsIn(guide: string): readonly Proof[] {
  return [...guide.matchAll(/`(tests\/[\w./-]+\.tsx?)`(?:: ([^;)]*))?/g)].map(
    ([, file = '', titles = '']) => ({
      file,
      titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
    }),
  )
}

const guide = readFileSync(join(root, 'docs/guide/security.md'), 'utf8')
const proofs = proofsIn(guide).filter(({ file }) => file !== 'tests/scripts/security-claims.test.ts')

test('the guide names proofs', () => {
  expect(proofs.length).toBeGreaterThan(40)
})

test.each(proofs)('$file has $titles', ({ file, titles }) => {
  const source = readFileSync(join(root, file), 'utf8')
  expect(titles.filter(title => !source.includes(title))).toEqual([])
})
