// Matches names of tables with typed text, without regard to case, accents and what is between words.

/** Letters that are not a letter with an accent in Unicode. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
}

/** The words of a name in lower case, without accents, separated by single spaces: `OrderItems` is `order items`. */
export const foldName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replaceAll(/[ßæœøđðþłı]/g, letter => LETTERS[letter] ?? letter)
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim()

/** How well a name matches; the highest is the best. */
const EXACT = 7
const START = 6
const WORD_START = 5
const WORDS = 4
const INSIDE = 3
const INITIALS = 2
/** Only some of the letters, in their order. */
export const LETTERS_ONLY = 1

const hasLetters = (name: string, letters: string): boolean => {
  let at = -1
  for (const letter of letters) {
    at = name.indexOf(letter, at + 1)
    if (at < 0) return false
  }
  return true
}

/** Both folded. @returns 0 without a match */
export const matchName = (name: string, text: string): number => {
  if (name === text) return EXACT
  if (name.startsWith(text)) return START
  if (name.includes(` ${text}`)) return WORD_START
  const words = name.split(' ')
  if (text.split(' ').every(part => words.some(word => word.startsWith(part)))) return WORDS
  const [joinedName, joinedText] = [name.replaceAll(' ', ''), text.replaceAll(' ', '')]
  if (joinedName.includes(joinedText)) return INSIDE
  if (
    words
      .map(word => word.charAt(0))
      .join('')
      .startsWith(joinedText)
  )
    return INITIALS
  return joinedText.length > 1 && hasLetters(joinedName, joinedText) ? LETTERS_ONLY : 0
}
