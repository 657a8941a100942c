// A demo function that returns binary data: a day's tide as a picture, or as a table of numbers.
import { crc32, deflateSync } from 'node:zlib'

const [WIDTH, HEIGHT] = [320, 120]
const TIDES_A_DAY = 24 / 12.42
const WATER = [38, 132, 142]
const AIR = [12, 24, 30]

/** `?as=png|csv|bin`: a PNG of 320 × 120, a CSV to download, or the heights as 96 little-endian floats. */
export default function chart(request: Request): Response {
  switch (new URL(request.url).searchParams.get('as')) {
    case 'csv':
      return new Response(
        ['time,height', ...heights(24).map((height, hour) => `${hour}:00,${height.toFixed(2)}`), ''].join(
          '\n',
        ),
        {
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': 'attachment; filename="tide.csv"',
          },
        },
      )
    case 'bin':
      return new Response(new Uint8Array(new Float32Array(heights(96)).buffer), {
        headers: { 'content-type': 'application/octet-stream' },
      })
    default:
      return new Response(new Uint8Array(png()), { headers: { 'content-type': 'image/png' } })
  }
}

/** Meters above chart datum, over a day. */
function heights(steps: number): number[] {
  return Array.from(
    { length: steps },
    (_, n) => 2.6 + 1.8 * Math.cos((n / steps) * TIDES_A_DAY * 2 * Math.PI),
  )
}

function png(): Buffer {
  const levels = heights(WIDTH).map(height => HEIGHT - (height / 5) * HEIGHT)
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Buffer.from([0, ...levels.flatMap(level => (y >= level ? WATER : AIR))]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // Eight bits each for red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    piece('IHDR', header),
    piece('IDAT', deflateSync(Buffer.concat(rows))),
    piece('IEND', Buffer.alloc(0)),
  ])
}

function piece(name: string, data: Buffer): Buffer {
  const namedData = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const chunk = Buffer.alloc(namedData.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  namedData.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(namedData), namedData.length + 4)
  return chunk
}
