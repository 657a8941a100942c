// Bundled and run in a browser page: records generated systems, and one that runs on the page's events.
import { record } from '../../src/services/recording/record.ts'
import { recordGenerated } from './generated-run.ts'
import { pageSystem } from './page-system.ts'

declare global {
  var recordings: {
    generated(seeds: readonly number[]): Promise<[number, string[]][]>
    page(steps?: boolean): Promise<string[]>
  }
}

globalThis.recordings = {
  async generated(seeds) {
    const all: [number, string[]][] = []
    for (const seed of seeds) all.push([seed, (await recordGenerated(seed)).recording.lines()])
    return all
  },
  async page(steps = true) {
    const recording = record(pageSystem, { keyframeEvery: 4, steps })
    recording.start()
    const button = document.body.appendChild(document.createElement('button'))
    for (let at = 0; at < 8; at++) {
      if (at < 5) button.click()
      await new Promise(requestAnimationFrame)
    }
    recording.actor.send({ type: 'over' })
    return recording.lines()
  },
}
