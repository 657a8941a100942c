// The prose lint: what it reads, and what it reports.
import { expect, test } from 'vitest'
import { countWords, findPhrases } from '../../scripts/prose/find.ts'

test('reads comments, sentences in strings and text in JSX, and reports the line', () => {
  const source = [
    "import { nobody } from './somebody.ts'",
    '// Whoever reads this has to translate.',
    "const words = 'a page of its own'",
    "const id = 'nobody'",
    '/** Loads the page',
    ' * anew. */',
    'const element = <p>Nobody is here</p>',
  ].join('\n')
  expect(findPhrases('a.tsx', source)).toEqual([
    { line: 2, phrase: 'Whoever' },
    { line: 3, phrase: 'of its own' },
    { line: 6, phrase: 'anew' },
    { line: 7, phrase: 'Nobody' },
  ])
  expect(countWords('a.tsx', source)).toBe(18)
})

test('leaves out code in Markdown', () => {
  const page = ['Nobody reads `whoever`.', '```ts', '// anew', '```', 'It is told twice.'].join('\n')
  expect(findPhrases('a.md', page)).toEqual([
    { line: 1, phrase: 'Nobody' },
    { line: 5, phrase: 'told' },
  ])
})

test('plain text passes', () => {
  expect(findPhrases('a.ts', '// Retries the request after 4 s; the user can cancel it.')).toEqual([])
})
