import './no-eval.ts'
import type { EditedText } from '#contract/translation/edit-translations.ts'
import { editorElementId } from '#contract/translation/editor.ts'
import { saveText } from './edit-calls.ts'
import type { EditorWords } from './editor-words.ts'

/** The list of all texts: saves without a page load, and Enter moves to the next text. */

type Facts = {
  nonce: string
  ajaxUrl: string
  language: string
  words: Pick<EditorWords, 'saved' | 'failed' | 'loggedOut' | 'stale' | 'refused' | 'statuses'> & { hint: string }
}

function start(facts: Facts): void {
  const { words } = facts
  const forms = [...document.querySelectorAll<HTMLFormElement>('.texts-form')]
  const fields = () => [...document.querySelectorAll<HTMLTextAreaElement>('.texts-form textarea')]
  const hint = document.createElement('p')
  hint.className = 'editor-note'
  hint.textContent = words.hint
  document.querySelector('.texts-rows')?.before(hint)

  for (const form of forms) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void save(form, facts)
    })
    form.addEventListener('keydown', (event) => {
      const field = event.target
      if (!(field instanceof HTMLTextAreaElement)) return
      const saves = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's'
      if (saves) {
        event.preventDefault()
        void save(form, facts)
      } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault()
        if (isChanged(form)) void save(form, facts)
        const all = fields()
        const next = all[all.indexOf(field) + 1]
        if (next) next.focus()
        else document.querySelector<HTMLElement>('.texts-pages [rel="next"]')?.focus()
      }
    })
  }
  window.addEventListener('beforeunload', (event) => {
    if (forms.some(isChanged)) event.preventDefault()
  })
}

function isChanged(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll('textarea')].some(({ value, defaultValue }) => value !== defaultValue)
}

/** Saves one at a time for each text: a concurrent second save would conflict with the first. */
const saving = new WeakMap<HTMLFormElement, Promise<void>>()

function save(form: HTMLFormElement, facts: Facts): Promise<void> {
  const turn = (saving.get(form) ?? Promise.resolve()).then(() => saveNow(form, facts))
  saving.set(form, turn)
  return turn
}

async function saveNow(form: HTMLFormElement, facts: Facts): Promise<void> {
  const { words, language } = facts
  const written = [...form.querySelectorAll('textarea')].map((field) => {
    const name = /\[(\w+)\]/.exec(field.name)?.[1] ?? 'only'
    const revision = form.querySelector<HTMLInputElement>(`[name="revision[${name}]"]`)
    return { field, revision, form: name === 'only' ? '' : name, value: field.value }
  })
  const say = (text: string, fault = false) => {
    const line = form.querySelector('[role="status"]')
    if (!line) return
    line.textContent = text
    line.classList.toggle('editor-fault', fault)
    for (const { field } of written) {
      if (fault) field.setAttribute('aria-describedby', line.id)
      else field.removeAttribute('aria-describedby')
    }
  }
  const status = written.every(({ value }) => value.trim() === '') ? 0 : 2
  const outcome = await saveText(facts, {
    id: Number(form.dataset.id),
    language,
    forms: Object.fromEntries(
      written.map((one) => [one.form, { translated: one.value, revision: Number(one.revision?.value ?? 0) }]),
    ),
    status,
  })
  if (!outcome.ok) return say(outcome.why === 'logged-out' ? words.loggedOut : words.failed, true)
  const { answer } = outcome
  const said: Readonly<Record<string, EditedText['said'][string]['']>> = answer.text?.said[language] ?? {}
  for (const { field, form: name, revision } of written) {
    const now = said[name]
    if (revision) revision.value = String(now?.revision ?? 0)
    field.setAttribute('aria-invalid', String(!answer.ok))
    if (!answer.ok) continue
    // Text typed during the save is kept.
    if (field.value === written.find((one) => one.field === field)?.value) field.value = now?.translated ?? ''
    field.defaultValue = now?.translated ?? ''
  }
  if (!answer.ok) {
    const theirs = Object.values(said).map((one) => one?.translated)
    return say(answer.reason === 'stale' ? `${words.stale} ${theirs.join(' / ')}` : words.refused[answer.reason], true)
  }
  const row = form.closest<HTMLElement>('.texts-row')
  if (row) {
    row.dataset.status = String(status)
    const dot = row.querySelector<HTMLElement>('.editor-dot')
    if (dot) dot.dataset.status = String(status)
    const line = row.querySelector('.texts-status')
    if (line) line.textContent = words.statuses[status]
    row.querySelector('.texts-check')?.remove()
  }
  say(words.saved)
}

const printed = document.getElementById(editorElementId)?.textContent
// Proof of the type: the server prints it into its own page.
if (printed) start(JSON.parse(printed) as Facts)
