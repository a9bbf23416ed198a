import type { ReactNode } from 'react';
import { useCall } from '../client/useCall.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { setPreferences, type WindowState } from '../state/windowState.ts';
import { Button, Segmented } from '../widgets/controls.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { KeySettings } from './KeySettings.tsx';
import './settings.css';

type Part = WindowState['settingsPart'];

/** Mod+, : theme, language, and every key of the window. What is changed counts at once and is kept. */
export function SettingsDialog(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const open = useWindow((s) => s.settingsOpen);
  const part = useWindow((s) => s.settingsPart);
  return (
    <Dialog
      open={open}
      onClose={() => store.setState({ settingsOpen: false })}
      title={t('settings.title')}
      subtitle={
        <Segmented<Part>
          label={t('settings.sections')}
          value={part}
          options={(['appearance', 'keys'] as const).map((value) => ({
            value,
            label: t(`settings.section.${value}`),
          }))}
          onChange={(settingsPart) => store.setState({ settingsPart })}
        />
      }
      className="settings"
    >
      {part === 'appearance' ? <Appearance /> : <KeySettings />}
    </Dialog>
  );
}

function Appearance(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { theme, locale } = useWindow((s) => s.preferences);
  const info = useCall('app.info', {}).value;
  return (
    <div className="settingsList">
      <Setting title={t('settings.theme')} note={t('settings.theme.note')}>
        <Segmented
          label={t('settings.theme')}
          value={theme}
          options={(['system', 'dark', 'light'] as const).map((value) => ({
            value,
            label: t(`settings.theme.${value}`),
          }))}
          onChange={(next) => setPreferences(store, { theme: next })}
        />
      </Setting>
      <Setting title={t('settings.locale')} note={t('settings.locale.note')}>
        <Segmented
          label={t('settings.locale')}
          value={locale}
          options={(['system', 'en', 'zh-CN'] as const).map((value) => ({
            value,
            label: t(`settings.locale.${value}`),
          }))}
          onChange={(next) => setPreferences(store, { locale: next })}
        />
      </Setting>
      <Setting title={t('settings.panes')} note={t('settings.panes.note')}>
        <Button
          onClick={() =>
            setPreferences(store, {
              navWidth: 232,
              navShown: true,
              inspectorOpen: true,
              inspectorWidth: {},
              informerPane: 240,
              grids: {},
            })
          }
        >
          {t('settings.panes.reset')}
        </Button>
      </Setting>
      {info !== undefined && (
        <p className="small tertiary settingsVersion">
          {t('settings.engine', { version: info.version, node: info.node.replace(/^v/, '') })}
        </p>
      )}
    </div>
  );
}

function Setting(props: {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="setting">
      <div>
        <h3 className="strong">{props.title}</h3>
        <p className="small secondary">{props.note}</p>
      </div>
      <div className="settingControl">{props.children}</div>
    </section>
  );
}
