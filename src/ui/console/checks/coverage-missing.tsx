// The parts of a machine that no trace reached; if the system can be controlled, with buttons to go there.
import { Footprints } from 'lucide-react'
import { IconButton } from '../../widgets/button.tsx'
import { count } from '../text.ts'
import type { Unreached } from './coverage-rows.ts'
import styles from './checks.module.css'
import { useContext } from 'react'
import { ChartDriverContext } from '../chart/chart-driver.ts'
import { useConsole } from '../use-console.ts'

const TITLES = { state: 'States', transition: 'Transitions', guard: 'Guard branches' } as const

export function MissingParts({
  machine,
  unreached,
}: {
  readonly machine: string
  readonly unreached: readonly Unreached[]
}) {
  const goThere = useGoThere(machine)
  return (['state', 'transition', 'guard'] as const).map(kind => {
    const own = unreached.filter(one => one.kind === kind)
    if (own.length === 0) return null
    return (
      <section key={kind}>
        <h2 className={styles.label}>
          {TITLES[kind]} never reached ({count(own.length)})
        </h2>
        <ul className={styles.missingList} aria-label={`${TITLES[kind]} of ${machine} never reached`}>
          {own.map(({ words, state }) => (
            <li key={words}>
              <code>{words}</code>
              {goThere && kind === 'state' ? (
                <IconButton size="s" label={`Go to state ${state}`} noTooltip onPress={() => goThere(state)}>
                  <Footprints size={12} aria-hidden />
                </IconButton>
              ) : null}
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

/** Undefined if nothing can be controlled, or no actor of the machine is running. */
function useGoThere(machine: string): ((state: string) => void) | undefined {
  const { onGo } = useContext(ChartDriverContext)
  const { timeline, go } = useConsole()
  const actor = timeline.actors.findLast(({ src, index }) => src === machine && !timeline.lifeOf(index).ended)
  if (!onGo || !actor) return undefined
  return state => {
    go({ type: 'actor', actor: actor.index })
    onGo(actor.path, state)
  }
}
