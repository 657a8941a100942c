// Traces with every kind of damage, from a seed.
import { gzipSync } from 'node:zlib'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'

/** Changes the lines of an intact trace; the result may be anything. */
export type Mutation = (lines: readonly string[], random: Random) => Uint8Array

/** Random picks; everything follows from the seed. */
export interface Random {
  below(n: number): number
  pick<T>(items: readonly T[]): T
}

export function createRandom(seed: number): Random {
  const { random } = createSeededEntropy(seed)
  const below = (n: number) => Math.floor(random() * n)
  return { below, pick: items => items[below(items.length)] as (typeof items)[number] }
}

const encode = (text: string) => new TextEncoder().encode(text)
const file = (lines: readonly string[]) => encode(`${lines.join('\n')}\n`)

/** Some flipped bits of a file. */
export function flipBits(bytes: Uint8Array, { below }: Random): Uint8Array {
  const out = Uint8Array.from(bytes)
  for (let left = 1 + below(8); left > 0; left--) {
    const at = below(out.length)
    out[at] = (out[at] ?? 0) ^ (1 << below(8))
  }
  return out
}

export function cutShort(bytes: Uint8Array, { below }: Random): Uint8Array {
  return bytes.subarray(0, below(bytes.length))
}

/** A part that is removed, doubled, or overwritten. */
export function spliced(bytes: Uint8Array, { below, pick }: Random): Uint8Array {
  const from = below(bytes.length)
  const size = below(300)
  const instead = pick([
    new Uint8Array(),
    new Uint8Array(size),
    bytes.subarray(from, from + 2 * size),
    Uint8Array.from({ length: size }, () => below(256)),
  ])
  return new Uint8Array(Buffer.concat([bytes.subarray(0, from), instead, bytes.subarray(from + size)]))
}

const NUMBERS = [
  '1e308',
  '-1e308',
  '1e999',
  '9007199254740993',
  '-1',
  '4294967296',
  '1e15',
  '-0',
  '0.5',
  '99',
]
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  '$',
  '',
]
const VALUES = [
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '"x"',
  '"\\ud800"',
  '"\\u0000"',
  '{"__proto__":{"polluted":true}}',
  '{"$":"map","value":[[1]]}',
  '{"$":"bigint","value":"x"}',
  '{"$":"bytes","kind":"Float64Array","value":"AAAA"}',
  '{"$":"error","name":"__proto__","message":"m","value":{"message":{},"__proto__":{"polluted":true}}}',
  '{"$":"undefined"}',
  '{"$":"object","value":{"type":1}}',
  '{"$":"actor","path":"__proto__"}',
  '{"$":"date","value":"x"}',
]

const changeLine = (change: (line: string, random: Random) => string): Mutation => {
  return (lines, random) => {
    const at = random.below(lines.length)
    return file(lines.map((line, index) => (index === at ? change(line, random) : line)))
  }
}

/** Replaces a randomly chosen match. */
function replaceSome(line: string, found: RegExp, { below }: Random, by: string): string {
  const all = [...line.matchAll(found)]
  const one = all[below(Math.max(1, all.length))]
  return one ? line.slice(0, one.index) + by + line.slice(one.index + one[0].length) : line
}

const nested = (depth: number, [open, close]: readonly [string, string]) =>
  open.repeat(depth) + '0' + close.repeat(depth)

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'flipped bits': (lines, random) => flipBits(file(lines), random),
  truncated: (lines, random) => cutShort(file(lines), random),
  'a part removed, doubled or overwritten': (lines, random) => spliced(file(lines), random),
  'a huge or odd number': changeLine((line, random) =>
    replaceSome(line, /-?\b\d+(\.\d+)?\b/g, random, random.pick(NUMBERS)),
  ),
  'a prototype key': changeLine((line, random) =>
    replaceSome(line, /"\w+"(?=:)/g, random, JSON.stringify(random.pick(NAMES))),
  ),
  'a value in the wrong place': changeLine((line, random) =>
    replaceSome(line, /(?<=:)("[^"]*"|[\d.]+|\{\}|\[\]|true|false)/g, random, random.pick(VALUES)),
  ),
  'deep nesting': changeLine((line, random) => {
    const pairs = [
      ['[', ']'],
      ['{"a":', '}'],
      ['{"$":"set","value":[', ']}'],
    ] as const
    const deep = nested(random.pick([100, 799, 801, 5000]), random.pick(pairs))
    return replaceSome(line, /(?<=:)("[^"]*"|[\d.]+)/g, random, deep)
  }),
  'swapped lines': (lines, { below }) => {
    const out = [...lines]
    for (let left = 1 + below(5); left > 0; left--) {
      const [a, b] = [below(out.length), below(out.length)]
      ;[out[a], out[b]] = [out[b] ?? '', out[a] ?? '']
    }
    return file(out)
  },
  'doubled or removed lines': (lines, { below, pick }) => {
    const at = below(lines.length)
    return file(
      lines.flatMap((line, index) =>
        index === at ? pick([[], [line, line], [line, lines[0] ?? '']]) : [line],
      ),
    )
  },
  'another encoding': (lines, { pick }) => {
    const text = `${lines.join(pick(['\n', '\r\n', '\n\n']))}\n`.replaceAll('mate', 'mäte')
    return pick([
      () => new Uint8Array([0xef, 0xbb, 0xbf, ...encode(text)]),
      () => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le')),
      () => new Uint8Array(Buffer.from(text, 'utf16le')),
      () => new Uint8Array(Buffer.from(text, 'utf16le').swap16()),
      () => new Uint8Array(Buffer.from(text, 'latin1')),
      () => encode(text),
    ])()
  },
}

/** Large data from little input. */
export const BOMBS: Readonly<Record<string, () => Uint8Array>> = {
  'of nothing': () => gzipSync(Buffer.alloc(20_000_000)),
  'of empty lines': () => gzipSync(Buffer.alloc(3_000_000, '\n')),
  'of invalid lines': () => gzipSync(Buffer.alloc(10_000_000, '{}\n')),
  'of brackets': () => gzipSync(Buffer.alloc(20_000_000, '[')),
  'of empty lists': () => gzipSync(Buffer.alloc(20_000_000, '[],')),
  'of a bomb': () => gzipSync(gzipSync(Buffer.alloc(20_000_000))),
}
