// Downloads generated content as a file.

export function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // Revoking immediately can cancel the download in some browsers; nothing reports its end. A minute is safe.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
