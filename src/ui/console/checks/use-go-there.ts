// Returns a function that goes to a state that was never reached, if the system can be controlled.
import { useContext } from 'react'
import { ChartDriverContext } from '../chart/chart-driver.ts'
import { useConsole } from '../use-console.ts'

/** Undefined if nothing can be controlled, or no actor of the machine is running. */
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
