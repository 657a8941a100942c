// Measures how the run time of a regular expression grows with hostile texts.
import { createContext, runInContext } from 'node:vm'
import { attacksOn, type Attack } from './attacks.ts'

const SMALL = 4_000
/** Between these sizes linear time grows fourfold, quadratic time sixteenfold. */
const SIZES = [6_000, 24_000] as const
const MOST_GROWTH = 9
/** Shorter times are noise; a linear expression takes a twentieth of this. */
const SUSPECT_MS = 0.4
/** The least time that quadratic behavior takes for the larger size. */
const SLOW_MS = 10
/** Other programs share the processor's caches, so the fastest of several runs counts for each size. */
const LEAST_TRIES = 3
const TRIES = 8
/** A time this long is no accident. */
const CLEAR_MS = 300

export interface Slow {
  readonly attack: Attack
  /** How many times longer it takes on a text four times as long. */
  readonly growth: number
}

/**
 * Returns an attack under which the expression is slower than linear, or undefined if none was found. One that
 * takes longer than `most` milliseconds altogether has infinite growth.
 */
export function slowest(source: string, flags: string, splits = false, most = 2_000): Slow | undefined {
  const attacks = attacksOn(source, flags)
  const run = runnerOf(source, flags, splits)
  let at = 0
  let found: Slow | undefined
  const all = () => {
    for (; at < attacks.length; at += 1) {
      const attack = attacks[at]
      if (attack === undefined || best(run, textOf(attack, SMALL), 2) < SUSPECT_MS) continue
      const growth = growthOf(run, attack)
      if (growth > MOST_GROWTH) {
        found = { attack, growth }
        return
      }
    }
  }
  try {
    // Interrupts expressions with exponential time.
    runInContext('all()', createContext({ all }), { timeout: most })
  } catch {
    const attack = attacks[at]
    if (attack) return { attack, growth: Infinity }
  }
  return found
}

function growthOf(run: (text: string) => void, attack: Attack): number {
  const [short = '', long = ''] = SIZES.map(size => textOf(attack, size))
  let [small, large] = [Infinity, Infinity]
  for (let n = 0; n < LEAST_TRIES || (n < TRIES && large / small > MOST_GROWTH); n += 1) {
    small = Math.min(small, best(run, short, 2))
    large = Math.min(large, best(run, long, 2))
    if (large < SLOW_MS) return 1
    if (large > CLEAR_MS) break
  }
  return large / small
}

const textOf = ({ before, again, after }: Attack, size: number) =>
  before + again.repeat(Math.ceil(size / again.length)) + after

/** Applies the expression as the program does: over the whole text if its flags say so. */
function runnerOf(source: string, flags: string, splits: boolean): (text: string) => void {
  const pattern = new RegExp(source, flags)
  if (splits) return text => void text.split(pattern)
  if (flags.includes('g')) return text => void text.replace(pattern, '')
  return text => {
    pattern.lastIndex = 0
    pattern.test(text)
  }
}

/** Milliseconds of the fastest of some runs. */
function best(run: (text: string) => void, text: string, times: number): number {
  let least = Infinity
  for (let n = 0; n === 0 || (n < times && least >= SUSPECT_MS && least < CLEAR_MS); n += 1)
    least = Math.min(least, timeOf(run, text))
  return least
}

/**
 * Milliseconds of one run. On a busy machine a long run always waits for other programs, so the time of
 * this process on the processor counts if it is shorter; it contains that of the other threads.
 */
function timeOf(run: (text: string) => void, text: string): number {
  const [start, used] = [performance.now(), process.cpuUsage()]
  run(text)
  const { user, system } = process.cpuUsage(used)
  const elapsed = performance.now() - start
  return user + system > 0 ? Math.min(elapsed, (user + system) / 1_000) : elapsed
}
