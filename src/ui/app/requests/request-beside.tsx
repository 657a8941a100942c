// Links an event in a job's recording to its request in the client's recording.
import type { ReactNode } from 'react'
import type { BesideEvent, ConsoleRecording } from '../../console/index.ts'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { RequestLink } from './request-link.tsx'

/** Renders a link for each event of `recording` that names a request; `by` defaults to the current client. */
export const requestBeside =
  (recording: ConsoleRecording, by: ChartroomClient | undefined): BesideEvent =>
  (event, header): ReactNode => {
    const { request } = event as { readonly request?: unknown }
    if (typeof request !== 'string' || header !== recording.trace.header) return null
    return (
      <RequestLink of={request} by={by}>
        Show request
      </RequestLink>
    )
  }
