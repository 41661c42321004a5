import type { ShopSettings } from '#contract/shared/settings.ts'

/** A text, `yes` or `no`, or a list. */
export type ClassicValue = string | readonly string[]

/** A change of one of our settings: its key with dots, and its value. */
export type SettingChange = { readonly key: string; readonly value: unknown }

/** A setting under the name of the classic shop, or under a name of ours where that has none. */
export type ClassicSetting = {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly description: string
  readonly type: 'text' | 'email' | 'number' | 'textarea' | 'select' | 'multiselect' | 'checkbox'
  /** Labels of the accepted values; absent: any. */
  readonly options?: Readonly<Record<string, string>>
  read(settings: ShopSettings): ClassicValue
  /** @returns the change; a text: why the value is refused */
  write(value: ClassicValue, settings: ShopSettings): SettingChange | string
}

type Named = Pick<ClassicSetting, 'id' | 'label'> & { readonly description?: string }

/** Reads a member of the settings by its key with dots. */
export function memberOf(settings: ShopSettings, key: string): unknown {
  return key.split('.').reduce<unknown>(
    (inner, name) =>
      // Justifies the cast: checked to be an object with this name.
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Readonly<Record<string, unknown>>)[name]
        : undefined,
    settings,
  )
}

const textIn = (value: ClassicValue) => (typeof value === 'string' ? value : value.join(','))
const listIn = (value: ClassicValue) =>
  typeof value === 'string'
    ? value
        .split(/[,\n]/)
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : value

/** Creates the makers of one group. A key names the setting of ours. */
export const settingsOf = (group: string) => {
  const base = ({ id, label, description = '' }: Named) => ({ id, group, label, description })
  return {
    yesNo: (named: Named, key: string): ClassicSetting => ({
      ...base(named),
      type: 'checkbox',
      read: (settings) => (memberOf(settings, key) === true ? 'yes' : 'no'),
      write: (value) =>
        value === 'yes' || value === 'true' || value === '1'
          ? { key, value: true }
          : value === 'no' || value === 'false' || value === '0' || value === ''
            ? { key, value: false }
            : 'must be yes or no',
    }),
    text: (named: Named, key: string, type: 'text' | 'email' = 'text'): ClassicSetting => ({
      ...base(named),
      type,
      read: (settings) => String(memberOf(settings, key) ?? ''),
      write: (value) => ({ key, value: textIn(value) }),
    }),
    number: (named: Named, key: string, unset?: (settings: ShopSettings) => number): ClassicSetting => ({
      ...base(named),
      type: 'number',
      read: (settings) => String(memberOf(settings, key) ?? unset?.(settings) ?? ''),
      write: (value) =>
        /^-?\d{1,15}$/.test(textIn(value).trim())
          ? { key, value: Number(textIn(value)) }
          : `"${textIn(value)}" must be a whole number`,
    }),
    list: (named: Named, key: string, type: 'textarea' | 'multiselect' = 'multiselect'): ClassicSetting => ({
      ...base(named),
      type,
      read: (settings) => {
        const value = memberOf(settings, key)
        const texts = Array.isArray(value) ? value.map(String) : []
        return type === 'textarea' ? texts.join('\n') : texts
      },
      write: (value) => ({ key, value: [...listIn(value)] }),
    }),
    /** @param values our value by the classic one, where they differ */
    choice: (
      named: Named,
      key: string,
      options: Readonly<Record<string, string>>,
      values: Readonly<Record<string, unknown>> = {},
    ): ClassicSetting => {
      const own = (option: string) => (Object.hasOwn(values, option) ? values[option] : option)
      return {
        ...base(named),
        type: 'select',
        options,
        read: (settings) => Object.keys(options).find((option) => own(option) === memberOf(settings, key)) ?? '',
        write: (value) => {
          const text = textIn(value)
          return Object.hasOwn(options, text)
            ? { key, value: own(text) }
            : `"${text}" must be one of ${Object.keys(options).join(', ')}`
        },
      }
    },
    /** A fact of the shop that programs look for. It cannot be changed. */
    fixed: (named: Named, value: string, label: string): ClassicSetting => ({
      ...base(named),
      type: 'select',
      options: { [value]: label },
      read: () => value,
      write: (given) => (textIn(given) === value ? { key: 'name', value: undefined } : `is always "${value}"`),
    }),
    custom: (
      named: Named,
      rest: Pick<ClassicSetting, 'type' | 'read' | 'write'> & Partial<Pick<ClassicSetting, 'options'>>,
    ): ClassicSetting => ({ ...base(named), ...rest }),
    listIn,
    textIn,
  }
}
