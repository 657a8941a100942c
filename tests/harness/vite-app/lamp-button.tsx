// The component of the app for the tests of the Vite plugin.
import { useMachine } from '@xstate/react'
import { lampMachine } from './lamp.ts'

export function LampButton() {
  const [snapshot, send] = useMachine(lampMachine)
  return (
    <button type="button" onClick={() => send({ type: 'switch' })}>
      Lamp: {snapshot.value}
    </button>
  )
}
