// A request of a page: sent when shown, on reload, and again after failures that pass. A reload keeps the last
// value until the next one arrives.
import { useEffect, useRef, useState } from 'react'
import { describeFailure, type Failure } from '../../services/client/index.ts'
import { explainFailure } from '../../services/workbench/rest/index.ts'
import { useClient } from '../react/index.ts'
import { useRenewable } from './renewable.ts'
import { useRetry } from './retry.ts'

export interface RequestFailure {
  readonly message: string
  /** It is sent again automatically. */
  readonly retry: boolean
  readonly cause: Failure
}

export type Requested<T> =
  | { readonly phase: 'loading'; readonly value?: undefined; readonly failure?: undefined }
  /** With `failure`, the value is from before the reload. */
  | { readonly phase: 'ready'; readonly value: T; readonly failure?: RequestFailure }
  | { readonly phase: 'failed'; readonly value?: undefined; readonly failure: RequestFailure }

export const LOADING: Requested<never> = { phase: 'loading' }

export type Answer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

/**
 * Sends the request; may throw instead of returning a failure. `show` displays a part of the value, unless a
 * complete one is displayed.
 */
export type Load<T> = (signal: AbortSignal, show: (part: T) => void) => Promise<Answer<T>>

interface Shown<T> {
  readonly key: string
  readonly state: Requested<T>
  readonly isPart: boolean
}

/** A failed reload keeps the value. */
const settle = <T>(before: Shown<T> | undefined, key: string, answer: Answer<T>): Shown<T> => {
  if (answer.ok) return { key, state: { phase: 'ready', value: answer.value }, isPart: false }
  const failure = { ...explainFailure(answer.failure), cause: answer.failure }
  return before?.key === key && before.state.phase === 'ready'
    ? { ...before, state: { ...before.state, failure } }
    : { key, state: { phase: 'failed', failure }, isPart: false }
}

export interface RequestOptions<T> {
  /** Name of its retries in their recording. */
  readonly name: string
  /** What the value depends on: a change sends another request. Undefined: none is sent. */
  readonly of: readonly unknown[] | undefined
  readonly load: Load<T>
}

/** @returns the state, and how to request it again */
export const useRequest = <T>({ name, of, load }: RequestOptions<T>): readonly [Requested<T>, () => void] => {
  const client = useClient()
  const key = of === undefined ? undefined : JSON.stringify(of)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  const [shown, setShown] = useState<Shown<T>>()
  const [signal, reload] = useRenewable()
  useEffect(() => {
    if (key === undefined) return
    const left = new AbortController()
    const ends = AbortSignal.any([signal, left.signal])
    const set = (next: (before: Shown<T> | undefined) => Shown<T> | undefined) => {
      if (!ends.aborted) setShown(next)
    }
    const show = (value: T) =>
      set(before =>
        before?.key === key && before.state.phase === 'ready' && !before.isPart
          ? before
          : { key, state: { phase: 'ready', value }, isPart: true },
      )
    void latest
      .current(ends, show)
      .catch(async (error: unknown) => ({ ok: false as const, failure: await describeFailure(error) }))
      .then(answer => set(before => settle(before, key, answer)))
    return () => left.abort()
  }, [client, key, signal])
  const state = key !== undefined && shown?.key === key ? shown.state : LOADING
  useRetry(name, state.failure?.retry === true ? state.failure : undefined, reload)
  return [state, reload]
}
