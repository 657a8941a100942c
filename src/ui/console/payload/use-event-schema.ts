// The schema of an event's payload: the machine's own, or for client machines the one generated from their
// types.
import { useEffect, useState } from 'react'
import type { EventSchemas, MachineChart, PayloadSchema } from '../../../trace/index.ts'

type Known = Readonly<Record<string, EventSchemas | undefined>>

/** Undefined if there is none, and until those of the client are loaded. */
export function useEventSchema(chart: MachineChart | undefined, type: string): PayloadSchema | undefined {
  const [known, setKnown] = useState<Known>()
  const own = chart?.events?.[type]
  const isAsked = chart !== undefined && !own && !known
  useEffect(() => {
    if (!isAsked) return
    let isWanted = true
    const settle = (found: Known) => isWanted && setKnown(found)
    import('./event-schemas.json').then(
      module => settle(module.default as Known),
      () => settle({}),
    )
    return () => {
      isWanted = false
    }
  }, [isAsked])
  return own ?? (chart && known?.[`${chart.id}:${chart.hash}`]?.[type])
}
