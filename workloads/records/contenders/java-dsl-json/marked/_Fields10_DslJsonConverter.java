package marked;



@javax.annotation.processing.Generated("dsl_json")
public class _Fields10_DslJsonConverter implements com.dslplatform.json.Configuration {
	@Override
	public void configure(com.dslplatform.json.DslJson __dsljson) {
		ObjectFormatConverter objectConverter = new ObjectFormatConverter(__dsljson);
		__dsljson.registerReader(marked.Fields10.class, objectConverter);
		__dsljson.registerWriter(marked.Fields10.class, objectConverter);
	}
	public final static class ObjectFormatConverter implements com.dslplatform.json.runtime.FormatConverter<marked.Fields10> {
		private final boolean alwaysSerialize;
		private final com.dslplatform.json.DslJson __dsljson;
		public ObjectFormatConverter(com.dslplatform.json.DslJson __dsljson) {
			this.alwaysSerialize = !__dsljson.omitDefaults;
			this.__dsljson = __dsljson;
		}
		private static final byte[] quoted_field01 = "\"field01\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field01 = "field01".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] quoted_field02 = ",\"field02\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field02 = "field02".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] quoted_field03 = ",\"field03\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field03 = "field03".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] quoted_field04 = ",\"field04\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field04 = "field04".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] quoted_field05 = ",\"field05\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field05 = "field05".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] quoted_field06 = ",\"field06\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field06 = "field06".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] quoted_field07 = ",\"field07\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field07 = "field07".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] quoted_field08 = ",\"field08\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field08 = "field08".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] quoted_field09 = ",\"field09\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field09 = "field09".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] quoted_field10 = ",\"field10\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field10 = "field10".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		public final void write(final com.dslplatform.json.JsonWriter writer, final marked.Fields10 instance) {
			if (instance == null) writer.writeNull();
			else {
				writer.writeByte((byte)'{');
				if (alwaysSerialize) { writeContentFull(writer, instance); writer.writeByte((byte)'}'); }
				else if (writeContentMinimal(writer, instance)) writer.getByteBuffer()[writer.size() - 1] = '}';
				else writer.writeByte((byte)'}');
			}
		}
		public void writeContentFull(final com.dslplatform.json.JsonWriter writer, final marked.Fields10 instance) {
			writer.writeAscii(quoted_field01);
			com.dslplatform.json.NumberConverter.serialize(instance.field01(), writer);
			writer.writeAscii(quoted_field02);
			com.dslplatform.json.NumberConverter.serialize(instance.field02(), writer);
			writer.writeAscii(quoted_field03);
			com.dslplatform.json.NumberConverter.serialize(instance.field03(), writer);
			writer.writeAscii(quoted_field04);
			com.dslplatform.json.NumberConverter.serialize(instance.field04(), writer);
			writer.writeAscii(quoted_field05);
			com.dslplatform.json.NumberConverter.serialize(instance.field05(), writer);
			writer.writeAscii(quoted_field06);
			com.dslplatform.json.NumberConverter.serialize(instance.field06(), writer);
			writer.writeAscii(quoted_field07);
			com.dslplatform.json.NumberConverter.serialize(instance.field07(), writer);
			writer.writeAscii(quoted_field08);
			com.dslplatform.json.NumberConverter.serialize(instance.field08(), writer);
			writer.writeAscii(quoted_field09);
			com.dslplatform.json.NumberConverter.serialize(instance.field09(), writer);
			writer.writeAscii(quoted_field10);
			com.dslplatform.json.NumberConverter.serialize(instance.field10(), writer);
		}
		public boolean writeContentMinimal(final com.dslplatform.json.JsonWriter writer, final marked.Fields10 instance) {
			boolean hasWritten = false;
			if (instance.field01() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field01); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field01(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			if (instance.field02() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field02); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field02(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			if (instance.field03() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field03); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field03(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			if (instance.field04() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field04); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field04(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			if (instance.field05() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field05); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field05(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			if (instance.field06() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field06); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field06(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			if (instance.field07() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field07); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field07(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			if (instance.field08() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field08); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field08(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			if (instance.field09() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field09); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field09(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			if (instance.field10() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field10); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field10(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			return hasWritten;
		}
		public marked.Fields10 read(final com.dslplatform.json.JsonReader reader) throws java.io.IOException {
			if (reader.wasNull()) return null;
			else if (reader.last() != '{') throw reader.newParseError("Expecting '{' for object start");
			reader.getNextToken();
			return readContent(reader);
		}
		public marked.Fields10 readContent(final com.dslplatform.json.JsonReader reader) throws java.io.IOException {
			long _field01_ = 0L;
			long _field02_ = 0L;
			long _field03_ = 0L;
			long _field04_ = 0L;
			long _field05_ = 0L;
			long _field06_ = 0L;
			long _field07_ = 0L;
			long _field08_ = 0L;
			long _field09_ = 0L;
			long _field10_ = 0L;
			if (reader.last() == '}') {
				return new marked.Fields10(_field01_, _field02_, _field03_, _field04_, _field05_, _field06_, _field07_, _field08_, _field09_, _field10_);
			}
			switch(reader.fillName()) {
				case 352681612:
					reader.getNextToken();
					_field01_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				case 268646422:
					reader.getNextToken();
					_field10_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				case 302348755:
					reader.getNextToken();
					_field04_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				case 285571136:
					reader.getNextToken();
					_field05_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				case 403014469:
					reader.getNextToken();
					_field02_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				case 386236850:
					reader.getNextToken();
					_field03_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				case 503680183:
					reader.getNextToken();
					_field08_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				case 486902564:
					reader.getNextToken();
					_field09_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				case 335903993:
					reader.getNextToken();
					_field06_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				case 319126374:
					reader.getNextToken();
					_field07_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				default:
					reader.getNextToken();
					reader.skip();
			}
			while (reader.last() == ','){
				reader.getNextToken();
				switch(reader.fillName()) {
					case 352681612:
						reader.getNextToken();
						_field01_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					case 268646422:
						reader.getNextToken();
						_field10_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					case 302348755:
						reader.getNextToken();
						_field04_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					case 285571136:
						reader.getNextToken();
						_field05_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					case 403014469:
						reader.getNextToken();
						_field02_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					case 386236850:
						reader.getNextToken();
						_field03_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					case 503680183:
						reader.getNextToken();
						_field08_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					case 486902564:
						reader.getNextToken();
						_field09_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					case 335903993:
						reader.getNextToken();
						_field06_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					case 319126374:
						reader.getNextToken();
						_field07_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					default:
						reader.getNextToken();
						reader.skip();
				}
			}
			if (reader.last() != '}') throw reader.newParseError("Expecting '}' for object end");
			return new marked.Fields10(_field01_, _field02_, _field03_, _field04_, _field05_, _field06_, _field07_, _field08_, _field09_, _field10_);
		}
	}
}
