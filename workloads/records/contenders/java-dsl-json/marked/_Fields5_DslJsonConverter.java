package marked;



@javax.annotation.processing.Generated("dsl_json")
public class _Fields5_DslJsonConverter implements com.dslplatform.json.Configuration {
	@Override
	public void configure(com.dslplatform.json.DslJson __dsljson) {
		ObjectFormatConverter objectConverter = new ObjectFormatConverter(__dsljson);
		__dsljson.registerReader(marked.Fields5.class, objectConverter);
		__dsljson.registerWriter(marked.Fields5.class, objectConverter);
	}
	public final static class ObjectFormatConverter implements com.dslplatform.json.runtime.FormatConverter<marked.Fields5> {
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
		public final void write(final com.dslplatform.json.JsonWriter writer, final marked.Fields5 instance) {
			if (instance == null) writer.writeNull();
			else {
				writer.writeByte((byte)'{');
				if (alwaysSerialize) { writeContentFull(writer, instance); writer.writeByte((byte)'}'); }
				else if (writeContentMinimal(writer, instance)) writer.getByteBuffer()[writer.size() - 1] = '}';
				else writer.writeByte((byte)'}');
			}
		}
		public void writeContentFull(final com.dslplatform.json.JsonWriter writer, final marked.Fields5 instance) {
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
		}
		public boolean writeContentMinimal(final com.dslplatform.json.JsonWriter writer, final marked.Fields5 instance) {
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
			return hasWritten;
		}
		public marked.Fields5 read(final com.dslplatform.json.JsonReader reader) throws java.io.IOException {
			if (reader.wasNull()) return null;
			else if (reader.last() != '{') throw reader.newParseError("Expecting '{' for object start");
			reader.getNextToken();
			return readContent(reader);
		}
		public marked.Fields5 readContent(final com.dslplatform.json.JsonReader reader) throws java.io.IOException {
			long _field01_ = 0L;
			long _field02_ = 0L;
			long _field03_ = 0L;
			long _field04_ = 0L;
			long _field05_ = 0L;
			if (reader.last() == '}') {
				return new marked.Fields5(_field01_, _field02_, _field03_, _field04_, _field05_);
			}
			switch(reader.fillName()) {
				case 352681612:
					reader.getNextToken();
					_field01_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
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
					default:
						reader.getNextToken();
						reader.skip();
				}
			}
			if (reader.last() != '}') throw reader.newParseError("Expecting '}' for object end");
			return new marked.Fields5(_field01_, _field02_, _field03_, _field04_, _field05_);
		}
	}
}
