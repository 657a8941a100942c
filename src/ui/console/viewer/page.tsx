// Entry point of the viewer, one HTML file with a recording in it: shows the recording in the console, without
// a server or a network.
import { createRoot } from 'react-dom/client'
import { VisuallyHidden } from 'react-aria-components'
import '../../widgets/tokens.css'
import '../../widgets/base.css'
import { Console } from '../console.tsx'
import { windowLocation } from '../model/location.ts'
import { emptyRecording } from './empty-recording.ts'

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The viewer has no element #${id}.`)
  return found
}

const embedded = element('trace')
const bytes = Uint8Array.from(atob(embedded.textContent), letter => letter.charCodeAt(0))
const file = new File([bytes], embedded.dataset['name'] ?? 'trace.gz')

createRoot(element('root')).render(
  <main style={{ height: '100%' }}>
    <VisuallyHidden elementType="h1">{file.name}</VisuallyHidden>
    <Console
      ownsPalette
      recording={emptyRecording(file)}
      location={windowLocation(window)}
      opens={file}
      opensAtPlace
    />
  </main>,
)
