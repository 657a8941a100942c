// A record as React state: immediately if available, else the last one until the next arrives.
import { useMemo, useState } from 'react'
import type { StepRecord } from '../../../trace/index.ts'
import { useLoaded } from '../../widgets/use-promise.ts'
import { messageOf } from '../text.ts'
import type { Details } from './details.ts'

export interface Detail {
  /** The requested record, or the previous one while it loads. */
  readonly record: StepRecord | undefined
  /** Whether another one is loading. */
  readonly isStale: boolean
  /** Why it could not be loaded. */
  readonly failure?: string
}

/** Returns the record of a step; none for -1. */
export function useDetail(details: Details, seq: number): Detail {
  const atHand = seq < 0 ? undefined : details.peek(seq)
  const isThere = seq < 0 || atHand !== undefined
  const load = useMemo(
    () => (isThere ? undefined : async () => ({ details, record: await details.record(seq) })),
    [details, seq, isThere],
  )
  const result = useLoaded(load)
  if (isThere) return { record: atHand, isStale: false }
  const isStale = result?.load !== load
  return {
    // The previous one may be of another trace.
    record: result?.value?.details === details ? result.value.record : undefined,
    isStale,
    ...(!isStale && result?.error !== undefined && { failure: messageOf(result.error) }),
  }
}

/** A record and the actor's previous one, both from one request. */
export interface StepDetail {
  readonly record: StepRecord | undefined
  readonly before: StepRecord | undefined
}

/** Returns the last step until both records of the next have arrived. */
export function useStep(details: Details, seq: number, previous: number): StepDetail {
  const [of, before] = [useDetail(details, seq), useDetail(details, previous)]
  const [kept, setKept] = useState<StepDetail>({ record: of.record, before: before.record })
  if (of.isStale || before.isStale || (kept.record === of.record && kept.before === before.record))
    return kept
  const step = { record: of.record, before: before.record }
  setKept(step)
  return step
}
