// Other tools with the same feed: their processing of a step, without a view.
import { ActionCreators, instrument, type EnhancedStore } from '@redux-devtools/instrument'
import { createInspector } from '@statelyai/inspect'
import { legacy_createStore, type Action, type Reducer } from 'redux'
import { stepOf } from './feed.ts'

type Steps = Readonly<Record<number, ReturnType<typeof stepOf>>>
type StepAction = Action & { readonly n: number }

const reducer: Reducer<Steps, StepAction> = (steps = {}, action) => {
  if (action.type !== 'step') return steps
  const step = stepOf(action.n)
  return { ...steps, [step.actor]: step }
}

/** Redux DevTools' instrument, which keeps `maxAge` actions (default 50). */
export function reduxPeer(maxAge?: number) {
  const options = maxAge === undefined ? {} : { maxAge }
  const enhancer = instrument(undefined, options)
  const store = legacy_createStore(reducer, enhancer as never) as unknown as EnhancedStore<
    Steps,
    StepAction,
    unknown
  > & {
    dispatch(action: StepAction): void
  }
  return {
    step: (n: number) => store.dispatch({ type: 'step', n }),
    jump: (index: number) => store.liftedStore.dispatch(ActionCreators.jumpToState(index) as never),
  }
}

/** The path of @statelyai/inspect: each step is serialized and sent to another context. */
export function inspectPeer() {
  const channel = new MessageChannel()
  channel.port2.addEventListener('message', () => undefined)
  channel.port2.start()
  const inspector = createInspector({
    send: event => channel.port1.postMessage(JSON.parse(JSON.stringify(event))),
    start: () => undefined,
    stop: () => undefined,
  })
  return {
    step: (n: number) => {
      const { actor, state, type, context } = stepOf(n)
      inspector.event(`berth.${actor}`, { type })
      inspector.snapshot(`berth.${actor}`, { status: 'active', value: state, context } as never)
    },
  }
}
