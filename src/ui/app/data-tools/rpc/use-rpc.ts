// State of a function call; draft and response stay while other pages are open.
import { useState, useSyncExternalStore } from 'react'
import { useClient } from '../../../react/index.ts'
import { keepByClient, userOf } from '../../../../services/workbench/storage/index.ts'
import { workRecordings } from '../../work-recordings.ts'
import {
  callRpc,
  emptyDraft,
  JSON_FIELD,
  readRpc,
  type RpcFunction,
  rpcSpec,
  RpcStore,
} from '../../../../services/workbench/functions/index.ts'

/** By user and function. In memory only: an argument may be a secret. */
const stores = keepByClient<RpcStore>()

export function useRpc(about: RpcFunction) {
  const client = useClient()
  const [store] = useState(() =>
    stores.of(
      client,
      `${userOf(client)} ${about.name}`,
      () =>
        new RpcStore(emptyDraft(about), {
          name: about.name,
          send: (spec, signal, onStart) => callRpc(client, spec, signal, onStart),
          now: () => client.now(),
          onCalled: attached => workRecordings(client).add(`Call of ${about.name}`, attached),
        }),
    ),
  )
  const { draft, errors, answer, isPending } = useSyncExternalStore(store.subscribe, store.state)
  const spec = () => {
    const read = readRpc(about, draft)
    return rpcSpec(about.name, draft.method, read.ok ? read.args : {})
  }
  const call = () => {
    const read = readRpc(about, draft)
    if (!read.ok) return store.refuse(read.errors)
    store.call(rpcSpec(about.name, draft.method, read.args))
  }
  const { change, cancel } = store
  return { draft, change, errors, jsonError: errors[JSON_FIELD], answer, isPending, call, cancel, spec }
}
