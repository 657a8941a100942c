// Offers the way to a state that was never reached, where the system can be driven.
import { useContext } from 'react'
import { ChartDriverContext } from '../chart/chart-driver.ts'
import { useConsole } from '../use-console.ts'

/** Absent where nothing can be driven, and for machines of which none lives. */
export function useGoThere(machine: string): ((state: string) => void) | undefined {
  const { onGo } = useContext(ChartDriverContext)
  const { timeline, go } = useConsole()
  const actor = timeline.actors.findLast(({ src, index }) => src === machine && !timeline.lifeOf(index).ended)
  if (!onGo || !actor) return undefined
  return state => {
    go({ type: 'actor', actor: actor.index })
    onGo(actor.path, state)
  }
}
