// The header of a trace from other apps: unknown fields are empty.
import { FORMAT_VERSION } from '../format/format.ts'
import type { TraceHeader } from '../format/records.ts'
import { REDACTION_POLICY } from '../redact/redact.ts'

/** `began` is in milliseconds since 1970, once a message has arrived. */
export function foreignHeader(
  system: string,
  machines: TraceHeader['machines'],
  began: number | undefined,
): TraceHeader {
  return {
    line: 'header',
    format: FORMAT_VERSION,
    system,
    appVersion: '',
    xstateVersion: '5',
    startedAt: began === undefined ? '' : new Date(began).toISOString(),
    input: undefined,
    machines,
    redaction: { policy: REDACTION_POLICY },
  }
}
