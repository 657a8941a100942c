// Each claim of the security guide has tests, which a page of its evidence names; this checks that both exist.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'

interface Proof {
  readonly file: string
  readonly titles: readonly string[]
}

/** What follows a claim: files, each with title prefixes or parts. */
function proofsIn(evidence: string): readonly Proof[] {
  return [...evidence.matchAll(/`(tests\/[\w./-]+\.tsx?)`(?:: ([^;\n]*))?/g)].map(
    ([, file = '', titles = '']) => ({
      file,
      titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
    }),
  )
}

const evidence = readFileSync(join(root, 'docs/evidence/security.md'), 'utf8')
const guide = readFileSync(join(root, 'docs/guide/security.md'), 'utf8')
const proofs = proofsIn(evidence).filter(({ file }) => file !== 'tests/scripts/security-claims.test.ts')

test('each claim of the evidence is one of the guide', () => {
  const claims = [...evidence.matchAll(/^- \*\*(.+?)\*\*:/gm)].map(([, claim = '']) => claim)
  expect(claims.length).toBeGreaterThan(40)
  expect(claims.filter(claim => !guide.includes(`**${claim}`))).toEqual([])
})

test('the evidence names proofs', () => {
  expect(proofs.length).toBeGreaterThan(40)
})

test.each(proofs)('$file has $titles', ({ file, titles }) => {
  const source = readFileSync(join(root, file), 'utf8')
  expect(titles.filter(title => !source.includes(title))).toEqual([])
})
