// Sum, average and bounds of numbers, without rounding.
import type { Cell } from './cells/cell-text.ts'

export interface Totals {
  /** Number of cells with a number. */
  readonly count: number
  readonly sum: string
  /** With up to four digits more than the numbers have. */
  readonly average: string
  readonly min: string
  readonly max: string
}

const PLAIN = /^-?\d+(?:\.\d+)?$/
const AVERAGE_DIGITS = 4

/** Ignores null, NaN, Infinity and numbers with an exponent. Undefined without any number. */
export function totalsOf(cells: readonly Cell[]): Totals | undefined {
  const numbers = cells.filter((cell): cell is string => cell !== null && PLAIN.test(cell))
  if (numbers.length === 0) return undefined
  const digits = Math.max(...numbers.map(digitsOf))
  const scaled = numbers.map(text => BigInt(text.replace('.', '') + '0'.repeat(digits - digitsOf(text))))
  const sum = scaled.reduce((total, number) => total + number, 0n)
  const min = scaled.reduce((one, b) => (b < one ? b : one))
  const max = scaled.reduce((one, b) => (b > one ? b : one))
  return {
    count: numbers.length,
    sum: decimal(sum, digits),
    average: decimal(divided(sum, numbers.length), digits + AVERAGE_DIGITS),
    min: decimal(min, digits),
    max: decimal(max, digits),
  }
}

const digitsOf = (text: string) => text.split('.')[1]?.length ?? 0

/** With the digits of an average, rounded half away from zero. */
function divided(sum: bigint, count: number): bigint {
  const by = BigInt(count)
  const twice = 2n * sum * 10n ** BigInt(AVERAGE_DIGITS)
  return (sum < 0n ? twice - by : twice + by) / (2n * by)
}

/** Without zeros at the end. */
function decimal(scaled: bigint, digits: number): string {
  const sign = scaled < 0n ? '-' : ''
  const text = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, '0')
  const integer = text.slice(0, text.length - digits)
  const fraction = text.slice(text.length - digits).replace(/(?<!0)0+$/, '')
  return fraction === '' ? sign + integer : `${sign}${integer}.${fraction}`
}
