// How the time of a regular expression grows with hostile texts.
import { createContext, runInContext } from 'node:vm'
import { attacksOn, type Attack } from './attacks.ts'

const SMALL = 4_000
/** For these sizes linear time grows fourfold, quadratic time sixteenfold. */
const SIZES = [6_000, 24_000] as const
const MOST_GROWTH = 9
/** Below it a time is noise; a linear expression takes a twentieth of it. */
const SUSPECT_MS = 0.4
/** What quadratic time takes at least for the larger size. */
const SLOW_MS = 10
/** Only what is slow each time counts: other programs share the processor's caches. */
const TRIES = 8
/** Such a time is no accident. */
const CLEAR_MS = 300
const HANGS_MS = 5_000

export interface Slow {
  readonly attack: Attack
  /** How often longer it takes on a text four times as long. */
  readonly growth: number
}

/** The attack under which an expression is slower than linear; nothing when none was found. */
export function slowest(source: string, flags: string, splits = false): Slow | undefined {
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
    // An expression in exponential time is interrupted.
    runInContext('all()', createContext({ all }), { timeout: HANGS_MS })
  } catch {
    const attack = attacks[at]
    if (attack) return { attack, growth: Infinity }
  }
  return found
}

function growthOf(run: (text: string) => void, attack: Attack): number {
  const texts = SIZES.map(size => textOf(attack, size))
  let least = Infinity
  for (let n = 0; n < TRIES && least > MOST_GROWTH; n += 1) {
    const [small = 0, large = 0] = texts.map(text => best(run, text, 2))
    if (large < SLOW_MS) return 1
    least = Math.min(least, large / small)
    if (large > CLEAR_MS) return least
  }
  return least
}

const textOf = ({ before, again, after }: Attack, size: number) =>
  before + again.repeat(Math.ceil(size / again.length)) + after

/** Applies it as the program does: over the whole text where its flags say so. */
function runnerOf(source: string, flags: string, splits: boolean): (text: string) => void {
  const pattern = new RegExp(source, flags)
  if (splits) return text => void text.split(pattern)
  if (flags.includes('g')) return text => void text.replace(pattern, '')
  return text => {
    pattern.lastIndex = 0
    pattern.test(text)
  }
}

/** Processor time of the fastest of some runs, in milliseconds: time that other programs had does not count. */
function best(run: (text: string) => void, text: string, times: number): number {
  let least = Infinity
  for (let n = 0; n === 0 || (n < times && least >= SUSPECT_MS && least < CLEAR_MS); n += 1) {
    const start = process.threadCpuUsage()
    run(text)
    const { user, system } = process.threadCpuUsage(start)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
