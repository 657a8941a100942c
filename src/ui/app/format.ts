// Values as people read them: durations and sizes.

/** Milliseconds as `2:14` or `1:02:05`; never negative. */
export const formatSpan = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const tail = `${h > 0 ? String(m).padStart(2, '0') : m}:${String(s).padStart(2, '0')}`
  return h > 0 ? `${h}:${tail}` : tail
}

/** Bytes as `12.4 kB`. */
export const formatSize = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ''}`
}
