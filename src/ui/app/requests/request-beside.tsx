// From an event in a recording of the work to the request that it tells of, which is in the recording of its client.
import type { ReactNode } from 'react'
import type { ConsoleRecording } from '../../console/console-recording.ts'
import type { BesideEvent } from '../../console/state/beside-event.ts'
import type { ChartroomClient } from '../../../index.ts'
import { RequestLink } from './request-link.tsx'

/** Beside each event of `recording` that names a request; `by` is who sent it, the client in use unless told. */
export const requestBeside =
  (recording: ConsoleRecording, by: ChartroomClient | undefined): BesideEvent =>
  (event, header): ReactNode => {
    const { request } = event as { readonly request?: unknown }
    if (typeof request !== 'string' || header !== recording.trace.header) return null
    return (
      <RequestLink of={request} by={by}>
        What request was that?
      </RequestLink>
    )
  }
