// The prose lint: what it reads, and what it reports.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countWords, findPhrases } from '../../scripts/prose/find.ts'

const sample = (name: string) => readFileSync(new URL(`prose/${name}.txt`, import.meta.url), 'utf8')

test('reads comments, sentences in strings and text in JSX, and reports the line', () => {
  const source = sample('source')
  expect(findPhrases('a.tsx', source).map(({ line, phrase }) => `${line} ${phrase.toLowerCase()}`)).toEqual(
    ['2 whoever', '3 of-its-own', '6 anew', '7 nobody'].map(text => text.replaceAll('-', ' ')),
  )
  expect(countWords('a.tsx', source)).toBe(18)
})

test('leaves out code in Markdown', () => {
  const found = findPhrases('a.md', sample('page'))
  expect(found.map(({ line, phrase }) => [line, phrase])).toEqual([
    [1, 'Nobody'],
    [5, 'told'],
  ])
})

test('plain text passes', () => {
  expect(findPhrases('a.ts', '// Retries the request after 4 s; the user can cancel it.')).toEqual([])
})
