{{- define "tdf.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "tdf.labels" -}}
app.kubernetes.io/name: trucking-data-feed
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "tdf.selector" -}}
app.kubernetes.io/name: trucking-data-feed
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tdf.databaseSecret" -}}
{{- if .Values.database.enabled -}}
{{ include "tdf.name" . }}-database-app
{{- else -}}
{{ required "database.secretName names the Secret with the key uri when database.enabled is false" .Values.database.secretName }}
{{- end -}}
{{- end -}}

{{/* A container of the program. Needs root (the chart's scope), name and command. */}}
{{- define "tdf.container" -}}
- name: {{ .name }}
  image: "{{ .root.Values.image.repository }}:{{ default .root.Chart.AppVersion .root.Values.image.tag }}"
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities: { drop: [ALL] }
  env:
    - name: DATABASE_URL
      valueFrom: { secretKeyRef: { name: {{ include "tdf.databaseSecret" .root }}, key: uri } }
    {{- with .root.Values.database.directSecretName }}
    - name: DATABASE_DIRECT_URL
      valueFrom: { secretKeyRef: { name: {{ . }}, key: uri } }
    {{- end }}
    {{- with .root.Values.database.readSecretName }}
    - name: DATABASE_READ_URL
      valueFrom: { secretKeyRef: { name: {{ . }}, key: uri } }
    {{- end }}
    - name: SECRETS_KEY
      valueFrom: { secretKeyRef: { name: {{ .root.Values.secretName }}, key: SECRETS_KEY } }
    - name: SMTP_URL
      valueFrom: { secretKeyRef: { name: {{ .root.Values.secretName }}, key: SMTP_URL } }
    - name: ADMIN_PORT
      value: "9464"
    - name: PUBLIC_URL
      value: {{ .root.Values.publicUrl | quote }}
    - name: TRUST_PROXY_HOPS
      value: {{ .root.Values.trustProxyHops | quote }}
    - name: MAIL_FROM
      value: {{ .root.Values.mailFrom | quote }}
    - name: CONTACT_EMAIL
      value: {{ .root.Values.contactEmail | quote }}
    {{- range $name, $value := .root.Values.settings }}
    - name: {{ $name }}
      value: {{ $value | quote }}
    {{- end }}
{{- end -}}

{{- define "tdf.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end -}}
