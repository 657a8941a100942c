// How many random cases a test runs, and from which seeds: few and always the same ones in `npm test`, many and
// other ones each day in `npm run test:deep`. A seed that failed is kept, and runs in both from then on.
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import fc, { type IAsyncProperty, type IProperty, type Parameters } from 'fast-check'
import { expect, test } from 'vitest'

/** Whether `npm run test:deep` runs. */
export const isDeep = process.env['CHARTROOM_DEEP'] === 'true'
const ROOT = new URL('../../', import.meta.url)
const KEPT = new URL('tests/kept-seeds.jsonl', ROOT)
/** Seeds that share a test. */
const GROUP = 10

interface KeptSeed {
  /** Path below the project's folder. */
  readonly file: string
  readonly seed: number
}

/** The first of the seeds of this run. */
export const firstSeed = Number(process.env['CHARTROOM_SEED'] ?? 0)

/** A number of random cases: `some` in `npm test`, `all` in `npm run test:deep`. */
export const volume = (some: number, all: number): number => (isDeep ? all : some)

interface SeedOptions {
  /** How many in `npm test`. */
  readonly some: number
  /** How many in `npm run test:deep`. */
  readonly all: number
  /** The first one; defaults to that of this run. */
  readonly first?: number
}

/**
 * Registers tests that call `run` with each of the seeds, and with those that failed in this test file before; a
 * failure names its seed.
 */
export function testSeeds(
  title: string,
  { some, all, first = firstSeed }: SeedOptions,
  run: (seed: number) => void | Promise<void>,
): void {
  const seeds = [...Array.from({ length: volume(some, all) }, (_, at) => first + at), ...keptSeeds()]
  for (let at = 0; at < seeds.length; at += GROUP) {
    const group = seeds.slice(at, at + GROUP)
    test(`${title}: seeds ${group[0]} to ${group.at(-1)}`, async () => {
      for (const seed of group) {
        try {
          await run(seed)
        } catch (error) {
          keep(seed, error)
        }
      }
    })
  }
}

/** Like `fc.assert`, with the seed of this run, and again with each one that failed in this test file before. */
export function assertProperty<Ts>(property: IProperty<Ts>, parameters?: Parameters<Ts>): void
export function assertProperty<Ts>(property: IAsyncProperty<Ts>, parameters?: Parameters<Ts>): Promise<void>
export function assertProperty<Ts>(
  property: IProperty<Ts> | IAsyncProperty<Ts>,
  parameters: Parameters<Ts> = {},
): void | Promise<void> {
  const seeds = [firstSeed, ...keptSeeds()]
  const check = (seed: number) => fc.assert(property as IAsyncProperty<Ts>, { ...parameters, seed })
  if (property.isAsync())
    return (async () => {
      for (const seed of seeds) await check(seed).catch(error => keep(seed, error))
    })()
  for (const seed of seeds) {
    try {
      void check(seed)
    } catch (error) {
      keep(seed, error)
    }
  }
  return undefined
}

/** @throws the error */
function keep(seed: number, error: unknown): never {
  const line = JSON.stringify({ file: currentFile(), seed } satisfies KeptSeed)
  if (isDeep) appendFileSync(KEPT, `${line}\n`)
  const hint = `Each test run repeats it if this line is in tests/kept-seeds.jsonl: ${line}`
  throw new Error(`Seed ${seed} failed. ${hint}`, { cause: error })
}

function keptSeeds(): number[] {
  const file = currentFile()
  const lines = readFileSync(KEPT, 'utf8').split('\n').filter(Boolean)
  const seeds = lines.map(line => JSON.parse(line) as KeptSeed).filter(one => one.file === file)
  return [...new Set(seeds.map(({ seed }) => seed))]
}

function currentFile(): string {
  const { testPath } = expect.getState()
  if (testPath === undefined) throw new Error('Seeds belong to a test file.')
  return relative(new URL(ROOT).pathname, testPath)
}
