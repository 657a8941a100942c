// What the timeline writes into the bar of a collapsed actor.
import { expect, test } from 'vitest'
import type { Palette } from '../../src/ui/console/canvas/palette.ts'
import { timeScale } from '../../src/ui/console/canvas/time-scale.ts'
import { drawLanes } from '../../src/ui/console/timeline/draw-lanes.ts'
import { laneList, type Scene } from '../../src/ui/console/timeline/lanes.ts'
import { actorEntries, stepRecords, timelineOf } from './console-trace.ts'

const COUNT = 14

/** An actor with more children than are shown as lanes, which enters the given states. */
function textsOf(states: readonly string[]): readonly string[] {
  const children = Array.from({ length: COUNT }, (_, n) => [`connection/topic.${n}`, 'topic'] as const)
  const timeline = timelineOf(
    actorEntries(['connection', 'connection'], ...children),
    stepRecords([
      { actor: 0, t: 0, type: 'xstate.init', value: states[0] ?? '' },
      ...children.map((_, n) => ({ actor: n + 1, t: 1, type: 'xstate.init' })),
      ...states.map((value, n) => ({ actor: 0, t: 100 * (n + 1), type: 'next', value })),
    ]),
  )
  const texts: string[] = []
  const context = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'fillText') return (text: string) => void texts.push(text)
        if (name === 'measureText') return (text: string) => ({ width: text.length * 6 })
        return () => undefined
      },
      set: () => true,
    },
  ) as unknown as CanvasRenderingContext2D
  const palette = { of: {}, family: {}, families: [], font: 'sans', mono: 'mono' } as unknown as Palette
  const range = [0, timeline.end] as const
  const scene = {
    timeline,
    list: laneList(timeline, [...range], new Map()),
    scale: timeScale([...range], 900),
    palette,
    top: 0,
    height: 200,
    toneOf: () => 'neutral',
    marks: {},
    full: range,
    range,
  } as unknown as Scene
  drawLanes(context, scene)
  return texts.filter(text => !/^[\d.]+ ?m?s$|^0$/.test(text))
}

test('a bar with several states shows their names, one without the number of collapsed actors', () => {
  expect(textsOf(['open', 'hidden', 'open'])).toEqual(['open', 'hidden'])
  expect(textsOf(['open'])).toEqual([`${COUNT} in this range, at most ${COUNT} at once`])
})
