// The component of the app for the tests of recordings in strict mode.
import { useMachine } from '@xstate/react'
import { rootMachine } from './machine.ts'

export function App() {
  const [snapshot, send] = useMachine(rootMachine)
  const { uploads, isOnline } = snapshot.context
  return (
    <button type="button" onClick={() => send({ type: 'upload' })}>
      Uploads: {uploads}, {snapshot.value}, {isOnline ? 'online' : 'offline'}
    </button>
  )
}
