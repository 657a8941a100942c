// Formats a number of bytes, the same way in messages, the app and the console.

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats bytes as `12.4 kB`; 1 kB is 1,000 bytes. */
export const formatSize = (bytes: number): string => {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit] ?? ''}`
}
