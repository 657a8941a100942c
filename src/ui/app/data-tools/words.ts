// Numbers in sentences.

export const count = (n: number): string => n.toLocaleString('en')

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`
