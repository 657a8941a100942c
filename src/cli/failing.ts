// What `minimise` is to keep failing: an invariant, assertions in a file, or a script of one's own.
import { breaks, failsWhen, invariants, type DrivenRun, type Failing } from '../replay.ts'
import { assertionsIn, loadAssertions } from './assertions-file.ts'
import { exportedNames, loadModule } from './module-file.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage.ts'

/** Any of them. */
const ANY = 'invariants'

/** @throws UsageError when it names nothing that can fail */
export async function loadFailing(wanted: string): Promise<Failing> {
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
  if (typeof script === 'function')
    return failsWhen(wanted, run => Boolean((script as (run: DrivenRun) => unknown)(run)))
  const assertions = Object.values(module).flatMap(assertionsIn)
  if (assertions.length > 0) return breaks(...assertions)
  throw new UsageError(
    `--fails ${wanted} exports neither a function called "fails" nor an assertion (it exports ${exportedNames(module)}).`,
  )
}
