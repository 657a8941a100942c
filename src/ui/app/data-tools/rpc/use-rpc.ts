// A call being written and its answers; what was typed stays while other pages are looked at.
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../../../react.ts'
import { keepByClient, userOf } from '../../by-client.ts'
import { callRpc, type RpcAnswer } from './rpc-answer.ts'
import { emptyDraft, JSON_FIELD, readRpc, rpcSpec, type RpcDraft } from './rpc-draft.ts'
import type { RpcFunction } from './rpc-functions.ts'

interface Kept {
  readonly draft: RpcDraft
  readonly answer?: RpcAnswer
}

/** By user and function. In memory alone: an argument may be a secret. */
const kept = keepByClient<Map<string, Kept>>()
const shelfOf = (): Map<string, Kept> => new Map()

export function useRpc(about: RpcFunction) {
  const client = useClient()
  const [shelf] = useState(() => kept.of(client, userOf(client), shelfOf))
  const [{ draft, answer }, setState] = useState<Kept>(
    () => shelf.get(about.name) ?? { draft: emptyDraft(about) },
  )
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isPending, setPending] = useState(false)
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    shelf.set(about.name, { draft, ...(answer && { answer }) })
  }, [shelf, about.name, draft, answer])
  useEffect(() => () => leaving.current?.abort(), [])
  const change = useCallback((part: Partial<RpcDraft>) => {
    setState(before => ({ ...before, draft: { ...before.draft, ...part } }))
    setErrors({})
  }, [])
  const reading = () => readRpc(about, draft)
  const spec = () => {
    const read = reading()
    return rpcSpec(about.name, draft.method, read.ok ? read.args : {})
  }
  const call = async () => {
    const read = reading()
    if (!read.ok) return setErrors(read.errors)
    leaving.current?.abort()
    const own = (leaving.current = new AbortController())
    setPending(true)
    try {
      const next = await callRpc(client, rpcSpec(about.name, draft.method, read.args), own.signal)
      if (!own.signal.aborted) setState(before => ({ ...before, answer: next }))
    } catch {
      // It was given up by the user, who knows.
    } finally {
      if (leaving.current === own) setPending(false)
    }
  }
  const cancel = () => {
    leaving.current?.abort()
    setPending(false)
  }
  return { draft, change, errors, jsonError: errors[JSON_FIELD], answer, isPending, call, cancel, spec }
}
