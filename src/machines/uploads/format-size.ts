// Formats a number of bytes in the messages of machines, which are the same in every locale.

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** Splits bytes into a value and its unit; 1 kB is 1,000 bytes. */
export function sizeParts(bytes: number): {
  readonly value: number
  readonly unit: string
  /** The value has no decimals, or is too large for them to matter. */
  readonly isWhole: boolean
} {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return { value, unit: UNITS[unit] ?? '', isWhole: unit === 0 || value >= 100 }
}

/** Formats bytes as `12.4 kB`. */
export const formatSize = (bytes: number): string => {
  const { value, unit, isWhole } = sizeParts(bytes)
  return `${isWhole ? Math.round(value) : value.toFixed(1)} ${unit}`
}
