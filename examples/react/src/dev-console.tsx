// The console, attached to the client of the app.
import { ChartroomConsole } from '@chartroom/devtools/console'
import { client, control } from './client'

export default function DevConsole() {
  if (!client.recording || !control) return null
  return (
    <div style={{ height: 480 }}>
      <ChartroomConsole recording={client.recording} control={control} />
    </div>
  )
}
