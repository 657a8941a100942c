// Exports a trace to formats that other tools open.
import type { MachineChart } from '../format/chart.ts'
import { ExportError } from './export-error.ts'
import { toHar, type HarOptions } from './har.ts'
import { toSequenceDiagram, type SequenceOptions } from './mermaid-sequence.ts'
import { toStateDiagram } from './mermaid-state.ts'
import { toPerfetto } from './perfetto.ts'
import type { Exported } from './run-text.ts'
import { toScxml } from './scxml.ts'

/** The available formats. */
export const EXPORT_FORMATS = ['perfetto', 'har', 'mermaid', 'scxml'] as const
/** Format of an export. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Options of `exportTrace`. */
export interface ExportOptions extends HarOptions, SequenceOptions {
  /** For `mermaid`: the run (default), or one machine. */
  readonly diagram?: 'sequence' | 'state'
  /** For `scxml` and state diagrams: the machine's id; defaults to the root machine. */
  readonly machine?: string
}

/**
 * Exports a trace as Chrome trace events (`perfetto`), HAR 1.2, Mermaid or SCXML. The same trace gives the
 * same text.
 * @throws ExportError if the trace does not contain what was requested
 */
export function exportTrace(trace: Exported, format: ExportFormat, options: ExportOptions = {}): string {
  return [...exportPieces(trace, format, options)].join('')
}

/** The same in pieces, for output that is too long for one string. */
export function exportPieces(
  trace: Exported,
  format: ExportFormat,
  options: ExportOptions = {},
): Iterable<string> {
  switch (format) {
    case 'perfetto':
      return toPerfetto(trace)
    case 'har':
      return [toHar(trace, options)]
    case 'mermaid':
      return [
        options.diagram === 'state'
          ? toStateDiagram(chartOf(trace, options))
          : toSequenceDiagram(trace, options),
      ]
    case 'scxml':
      return [toScxml(chartOf(trace, options), trace.header.machines)]
  }
}

function chartOf({ header: { machines }, actors }: Exported, { machine }: ExportOptions): MachineChart {
  const wanted = machine ?? actors[0]?.src ?? ''
  const chart = Object.hasOwn(machines, wanted) ? machines[wanted] : undefined
  if (chart) return chart
  const known = Object.keys(machines).join(', ') || 'none'
  throw new ExportError(`there is no machine "${wanted}" in the trace; it has ${known}`)
}
