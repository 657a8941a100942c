// The command that leads from a step to the call whose response it follows from.
import type { Timeline } from '../../../trace/index.ts'
import type { ConsoleCommand } from '../commands/use-commands.ts'
import { callBehind } from './call-causes.ts'
import { follow, type TrailPlace } from './call-trail.ts'
import { rowOfWire } from './network-rows.ts'

/** Shows the call behind a step in the network view; Backspace there returns. */
function showCall(seq: number, place: TrailPlace): void {
  const { timeline } = place
  const behind = callBehind(timeline, seq)
  if (!behind) return
  follow(place, { from: seq, to: rowOfWire(timeline, behind.wire).seq, wire: undefined, center: 'network' })
}

/** In one entry of the palette: the call is looked up only when it runs, since stepping renders it. */
export const callCommand = (seq: number, place: TrailPlace): ConsoleCommand => ({
  id: 'go.call',
  title: 'Show the call whose response led here',
  section: 'Move',
  keys: ['R'],
  words: 'network request response why cause',
  ...(!hasCall(place.timeline, seq) && { disabled: 'no response led here' }),
  run: () => showCall(seq, place),
})

const hasCall = (timeline: Timeline, seq: number): boolean => callBehind(timeline, seq) !== undefined
