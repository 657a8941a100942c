// The failure that `minimize` preserves: an invariant, assertions from a file, or a user's script.
import { breaks, invariants, type DrivenRun, type Failing } from '../public/replay.ts'
import { assertionsIn, loadAssertions } from './assertions-file.ts'
import { exportedNames, loadModule } from './module-file.ts'
import { nearest } from './nearest.ts'
import { reasonOf, UsageError } from './usage.ts'

/** Selects any invariant. */
const ANY = 'invariants'

/** The failure to preserve, and the first error that its script threw. */
export interface LoadedFailing extends Failing {
  readonly threw?: () => string | undefined
}

/** @throws UsageError if the name matches nothing that can fail */
export async function loadFailing(wanted: string): Promise<LoadedFailing> {
  const all = invariants()
  if (wanted === ANY) return breaks(...all)
  const invariant = all.find(({ name }) => name === wanted)
  if (invariant) return breaks(invariant)
  if (wanted.endsWith('.json')) return breaks(...(await loadAssertions(wanted, '--fails')))
  const names = [ANY, ...all.map(({ name }) => name)]
  if (!/[./\\]/.test(wanted)) {
    const close = nearest(wanted, names)
    throw new UsageError(
      `--fails must be ${names.join(', ')} or a file, not "${wanted}".${close === undefined ? '' : ` Did you mean "${close}"?`}`,
    )
  }
  const module = await loadModule('--fails', wanted)
  const script = module['fails'] ?? module['default']
  if (typeof script === 'function') return scripted(wanted, script as (run: DrivenRun) => unknown)
  const assertions = Object.values(module).flatMap(assertionsIn)
  if (assertions.length > 0) return breaks(...assertions)
  throw new UsageError(
    `--fails ${wanted} exports neither a function called "fails" nor an assertion (it exports ${exportedNames(module)}).`,
  )
}

/** A script that throws counts as "does not fail": with less of the trace, much may be missing. */
function scripted(name: string, script: (run: DrivenRun) => unknown): LoadedFailing {
  let thrown: string | undefined
  const ask = (run: DrivenRun) => {
    try {
      return script(run)
    } catch (error) {
      thrown ??= reasonOf(error)
      return false
    }
  }
  return {
    name,
    threw: () => thrown,
    watch: run => () => {
      const result = ask(run)
      if (result instanceof Promise)
        throw new UsageError(`--fails ${name} must return its result synchronously, not as a promise.`)
      return Boolean(result)
    },
  }
}
