// Checks a typed URL and key against the backend, one probe at a time.
import { useEffect, useRef, useState } from 'react'
import { probeBackend, type ProbeResult } from '../../../services/workbench/hosts/index.ts'

export type Refusal = Extract<ProbeResult, { ok: false }>

export interface Probe {
  readonly isRunning: boolean
  readonly refusal: Refusal | undefined
  /** Resolves to the accepted URL and key; undefined if rejected or superseded by a newer probe. */
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
