// A component of the app for the tests of edit and replay, with a machine in the same module.
import { useMachine } from '@xstate/react'
import { assign, setup } from 'xstate'

const clockMachine = setup({
  types: { context: {} as { ticks: number }, events: {} as { type: 'tick' } },
}).createMachine({
  id: 'clock',
  context: { ticks: 0 },
  on: { tick: { actions: assign({ ticks: ({ context }) => context.ticks + 1 }) } },
})

export function ClockButton() {
  const [{ context }, send] = useMachine(clockMachine)
  return (
    <button type="button" onClick={() => send({ type: 'tick' })}>
      Ticks: {context.ticks}
    </button>
  )
}
