// docs/machines matches the machines.
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { drawChart, isOf } from '../../scripts/machine-docs/draw.ts'
import { machinePages } from '../../scripts/machine-docs/pages.ts'

// Drawings name the chart that they show; a few examples suffice to show that drawing is unchanged.
const DRAWN = new Set(['tab', 'connection', 'refresh'])

const dir = new URL('../../docs/machines/', import.meta.url)

test('docs/machines is up to date (update it with npm run docs)', async () => {
  const names = (await readdir(dir)).toSorted()
  const present = await Promise.all(
    names.map(async name => [name, await readFile(new URL(name, dir), 'utf8')] as const),
  )
  const texts = new Map(present)
  const pages = await machinePages(async chart => {
    const known = texts.get(`${chart.id}.svg`) ?? ''
    return isOf(known, chart) && !DRAWN.has(chart.id) ? known : drawChart(chart)
  })
  expect([...DRAWN].filter(id => !pages.has(`${id}.svg`))).toEqual([])
  const wanted = [...pages].toSorted(([a], [b]) => (a < b ? -1 : 1))
  expect(present.map(([name]) => name)).toEqual(wanted.map(([name]) => name))
  const stale = present.filter(([name, text]) => wanted.find(([other]) => other === name)?.[1] !== text)
  expect(stale.map(([name]) => name)).toEqual([])
})
