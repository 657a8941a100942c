// Generates the texts of the demo log; the same on every machine.

const WATCHES = [
  'Relieved the watch at the change of light.',
  'Took over with coffee and a fair heading.',
  'Slow forenoon.',
  'Hands below, one on deck.',
  'Stood in towards the land to check our set.',
  'Kept well clear of the inshore pots.',
  'Logged a steady six knots.',
  'Called the harbour office on sixteen, heard loud and clear.',
]

const WEATHER = [
  'Glass falling slowly and a halo round the moon.',
  'Rain from the south-west, clearing behind.',
  'Fog came down like a lid; horn sounded every two minutes.',
  'Long swell under a sky without a mark on it.',
  'A squall laid us over, gone again before the kettle boiled.',
  'Breeze backed two points at the headland.',
  'Cold and bright, ice on the guardrails until noon.',
  'The tide turned early and set us a mile to the north.',
]

const WORK = [
  'Second reef tied in, ship easier for it.',
  'Shook out the reef and got the big jib drawing.',
  'Patched the staysail along the foot.',
  'Bilge dry; ten strokes to be sure.',
  'Swung the compass on the leading marks: two degrees east.',
  'Changed the port navigation light.',
  'Greased the windlass and flaked the chain.',
  'Let go in four fathoms, good holding in blue mud.',
]

const SIGHTINGS = [
  'Porpoises under the bow till dusk.',
  'Passed a trawler hauling, waved at.',
  'Lighthouse raised right where the chart has it.',
  'Gannets working to leeward, a whole white hill of them.',
  'Ferry crossed ahead, on time as ever.',
  'Nothing sighted.',
  'One seal, unimpressed.',
  'The mail boat brought bread and gossip.',
]

const DIRECTIONS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW']

export interface LogLine {
  readonly note: string
  readonly wind: string
  readonly seaState: number
}

/** The `index`-th line of a log; `voice` varies the text between logs. */
export function logLine(voice: number, index: number): LogLine {
  const round = Math.floor(index / WATCHES.length)
  // Each list advances at a different pace, so that no two lines of a log are alike.
  const pick = (list: readonly string[], step: number, turn: number) =>
    list[(index * step + round * turn + voice * 3) % list.length] ?? ''
  const force = 2 + ((index * 5 + voice * 2) % 7)
  return {
    note: [pick(WATCHES, 1, 0), pick(WEATHER, 3, 1), pick(index % 2 === 0 ? WORK : SIGHTINGS, 5, 3)].join(
      ' ',
    ),
    wind: `${pick(DIRECTIONS, 3, 1)} ${force}`,
    seaState: Math.max(0, force - 2),
  }
}
