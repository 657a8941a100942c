// Probing what was typed, one probe at a time.
import { useEffect, useRef, useState } from 'react'
import { probeBackend, type ProbeResult } from '../../../probe.ts'

export type Refusal = Extract<ProbeResult, { ok: false }>

export interface Probe {
  readonly isRunning: boolean
  readonly refusal: Refusal | undefined
  /** Gives the accepted address and key; undefined when refused, or when a newer probe took over. */
  readonly run: (typed: {
    url: string
    key: string
  }) => Promise<Extract<ProbeResult, { ok: true }> | undefined>
  readonly clear: () => void
}

/** State of the connect form's probe. */
export const useProbe = (): Probe => {
  const [isRunning, setRunning] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const latest = useRef(0)
  useEffect(
    () => () => {
      latest.current += 1
    },
    [],
  )
  const run: Probe['run'] = async typed => {
    const mine = (latest.current += 1)
    setRunning(true)
    setRefusal(undefined)
    const result = await probeBackend(typed)
    if (latest.current !== mine) return undefined
    setRunning(false)
    if (result.ok) return result
    setRefusal(result)
    return undefined
  }
  return { isRunning, refusal, run, clear: () => setRefusal(undefined) }
}
