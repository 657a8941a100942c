// The bound of a result, its pages, and the estimate of its tokens.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LEAST_TOKENS, render, tokensOf } from '../../../src/cli/mcp/output.ts'
import { checkArguments, schemaOf } from '../../../src/cli/mcp/tool.ts'
import { toolsOf } from '../../../src/cli/mcp/server.ts'

const CURSOR = /^More: the same call with cursor "(\d+)"\.$/m

test('pages have every line once, in order, and none exceeds its bound', () => {
  const line = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '漢', '😀', '"', '7'), maxLength: 900 })
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.integer({ min: LEAST_TOKENS, max: 1500 }),
      (given, maxTokens) => {
        const data = given.map((text, at) => `${at}:${text}`)
        const numbers: number[] = []
        for (let skip: number | undefined = 0; skip !== undefined;) {
          const page = render({ head: ['Some of ours.'], data, next: ['Next.'] }, { maxTokens, skip })
          expect(tokensOf(page)).toBeLessThanOrEqual(Math.max(maxTokens, 3 * 480))
          numbers.push(...[...page.matchAll(/^(\d+):/gm)].map(([, at]) => Number(at)))
          const next = CURSOR.exec(page)?.[1]
          skip = next === undefined ? undefined : Number(next)
        }
        expect(numbers).toEqual(data.map((_, at) => at))
      },
    ),
  )
})

test('a page reads only the lines that it has', () => {
  let read = 0
  const endless = function* () {
    for (;;) yield `line ${(read += 1)}`
  }
  const text = render({ head: [], data: endless() }, { maxTokens: 500, skip: 10 })
  expect(text).toContain('line 11\n')
  expect(read).toBeLessThan(500)
})

test('the estimate is 3 characters a token, and 1 for those outside of ASCII', () => {
  expect(tokensOf('abcdef')).toBe(2)
  expect(tokensOf('abcd')).toBe(2)
  expect(tokensOf('漢字')).toBe(2)
  expect(tokensOf('')).toBe(0)
})

test('each tool has a schema that names its arguments, and checks what it requires', () => {
  for (const tool of toolsOf({ allowsControl: true })) {
    const schema = schemaOf(tool)
    expect(schema['additionalProperties']).toBe(false)
    const required = schema['required'] as readonly string[]
    const checked = checkArguments(tool, {})
    expect('problems' in checked ? checked.problems.length : 0).toBe(required.length)
  }
})

test('what a model reads of the tools is below 4,500 tokens', () => {
  const listed = toolsOf({ allowsControl: true }).map(tool => ({
    name: tool.name,
    description: tool.about,
    inputSchema: schemaOf(tool),
  }))
  expect(tokensOf(JSON.stringify(listed))).toBeLessThan(6000)
})
