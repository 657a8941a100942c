// Charts zoomed far out: which names are shown, and that none overlap.
import { describe, expect, it } from 'vitest'
import { clientMachine } from '../../../../src/machines/index.ts'
import { machineCharts } from '../../../../src/services/runtime/index.ts'
import { tableMeasure } from '../../../../src/ui/console/chart/chart-graph.ts'
import { chartParts } from '../../../../src/ui/console/chart/chart-parts.ts'
import { farNames, farScale, NAME_SIZE } from '../../../../src/ui/console/chart/far-names.ts'
import { layoutKey, type KnownLayouts } from '../../../../src/ui/console/chart/use-chart-layout.ts'
import layouts from '../../../../src/ui/console/chart/layouts.json' with { type: 'json' }
import { placeChart } from '../../../../src/ui/console/chart/placed-chart.ts'

const widthOf = (text: string) => (tableMeasure(text, 'state') * NAME_SIZE) / 12

const chart = machineCharts(clientMachine)['session']
if (!chart) throw new Error('There is no session')
const geometry = (layouts as unknown as KnownLayouts)[layoutKey(chart, 'RIGHT')]
if (!geometry) throw new Error('The session has no layout')
const { boxes, width } = placeChart(chartParts(chart), geometry)
const active = new Set(['authenticated', 'authenticated.token', 'authenticated.token.fresh'])
const shown = (scale: number) => farNames(boxes, { scale, active, widthOf })

describe("the session's chart zoomed out", () => {
  const scale = 800 / width

  it('shows the names of large and of active states', () => {
    const paths = shown(scale).map(({ path }) => path)
    expect(paths[0]).toBe('authenticated.token.fresh')
    expect(paths).toEqual(expect.arrayContaining(['authenticated', 'signedOut', 'authenticated.user']))
    expect(shown(scale * 1.5).length).toBeGreaterThan(paths.length)
    expect(paths.length).toBeLessThan(boxes.length)
  })

  it.each([0.5, 1, 2])('has no overlapping names at %s times that scale', times => {
    const names = shown(scale * times).map(({ text, x, y }) => ({
      text,
      left: x * scale * times - widthOf(text) / 2,
      right: x * scale * times + widthOf(text) / 2,
      y: y * scale * times,
    }))
    const clashes = names.flatMap((a, at) =>
      names
        .slice(at + 1)
        .filter(b => a.left < b.right && b.left < a.right && Math.abs(a.y - b.y) < NAME_SIZE)
        .map(b => `${a.text} over ${b.text}`),
    )
    expect(clashes).toEqual([])
  })
})

it('stays stable over a zoom range, and is made for a scale that is not larger', () => {
  expect([farScale(0.42), farScale(1)]).toEqual([undefined, undefined])
  const [a = 0, b = 0] = [farScale(0.28), farScale(0.29)]
  expect([a === b, a <= 0.28, a > 0.24]).toEqual([true, true, true])
})
